/** Runs before the page is drawn. The web app stores the choice under the same key. */
const stored = localStorage.getItem('rowpress.theme');
if (stored === 'light' || stored === 'dark') document.documentElement.dataset.theme = stored;
