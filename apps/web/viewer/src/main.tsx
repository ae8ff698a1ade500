import { render } from 'preact';
import { App } from './frame/App';
import './tokens.css';
import './style.css';

render(<App />, document.getElementById('app')!);
