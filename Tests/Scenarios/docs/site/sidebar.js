// What the sidebar shows once it has its data: its text, and where its entry of this page leads, if that can be seen.
new Promise((resolve) => {
  const end = Date.now() + 50000;
  const isSeen = (entry) => {
    const { top, bottom, left, right } = entry.getBoundingClientRect();
    return entry.checkVisibility() && top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
  };
  const look = () => {
    const sidebar = document.querySelector('.navigator');
    const text = sidebar?.innerText ?? '';
    const entry = [...(sidebar?.querySelectorAll('a[aria-current=page]') ?? [])].find(isSeen);
    const isOver = entry || text.includes('No data available') || Date.now() > end;
    if (location.href.split('?')[0] === ADDRESS && document.querySelector('main h1') && isOver)
      return resolve({ text, entry: entry?.href ?? null, namesObjectiveC: document.body.innerText.includes('Objective-C') });
    setTimeout(look, 5);
  };
  look();
})
