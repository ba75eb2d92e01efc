import { createRoot } from 'react-dom/client';

const place = document.getElementById('app');
if (place === null) throw new Error('bug: the page has no place for the app');
createRoot(place).render(<p>Rowpress</p>);
