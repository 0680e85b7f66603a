// What the sidebar shows once it has its data: its text, and where its entry of this page leads.
new Promise((resolve) => {
  const end = Date.now() + 50000;
  const look = () => {
    const sidebar = document.querySelector('.navigator');
    const text = sidebar?.innerText ?? '';
    const entry = [...(sidebar?.querySelectorAll('a[aria-current=page]') ?? [])].find((one) => one.checkVisibility({ visibilityProperty: true }));
    const isOver = entry || text.includes('No data available') || Date.now() > end;
    if (location.href.split('?')[0] === ADDRESS && document.querySelector('main h1') && isOver)
      return resolve({ text, entry: entry?.href ?? null, code: CODE, namesObjectiveC: document.body.innerText.includes('Objective-C') });
    setTimeout(look, 5);
  };
  look();
})
