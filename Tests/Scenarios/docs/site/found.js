// What the page of the search has found: the title by the address of each section.
new Promise((resolve) => {
  const end = Date.now() + 50000;
  const look = () => {
    const links = [...document.querySelectorAll('main li a')];
    if (location.href.split('?')[0] === ADDRESS.split('?')[0] && links.length || Date.now() > end)
      return resolve(Object.fromEntries(links.map((link) => [link.href, link.textContent])));
    setTimeout(look, 5);
  };
  look();
})
