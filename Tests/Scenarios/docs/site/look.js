// What a rendered page has: its links, its anchors, its width, and what of it reaches out of the window without a scroll bar.
new Promise((resolve, reject) => {
  const end = Date.now() + 50000;
  const scrolls = (element) => {
    for (; element; element = element.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(element).overflowX)) return true;
    return false;
  };
  const isOutside = (element) =>
    element.getBoundingClientRect().right > WIDTH + 1 && element.textContent.trim() && !scrolls(element)
    && getComputedStyle(element).visibility !== 'hidden';
  const found = (heading) => ({
    title: document.title,
    heading: heading.textContent.trim(),
    links: [...document.querySelectorAll('a[href]')].map((link) => link.href),
    ids: [...document.querySelectorAll('[id]')].map((element) => element.id),
    code: CODE,
    width: document.documentElement.scrollWidth,
    outside: [...document.querySelectorAll('main *')].filter(isOutside)
      .map((element) => `${element.tagName}.${element.className}: ${element.textContent.trim().slice(0, 60)}`),
  });
  const look = () => {
    const heading = document.querySelector('main h1');
    const isThere = location.href.split('?')[0] === ADDRESS && document.readyState === 'complete';
    if (isThere && heading && !heading.dataset.isOfThePageBefore) return setTimeout(() => resolve(found(heading)), 0);
    if (Date.now() > end) return reject(new Error(`not rendered: ${location.href}`));
    setTimeout(look, 5);
  };
  look();
})
