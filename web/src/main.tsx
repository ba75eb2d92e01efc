import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './ui/tokens.css';
import './ui/base.css';

const place = document.getElementById('app');
if (place === null) throw new Error('bug: the page has no place for the app');
createRoot(place).render(<App />);
