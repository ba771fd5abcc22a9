// Features of every page: switch the theme, open the menu on phones, copy code, search titles and
// headings.
const one = (selector, inside = document) => inside.querySelector(selector);

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  try {
    localStorage.setItem('parley-theme', root.dataset.theme);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}

function toggleMenu() {
  const button = one('.menu');
  const open = button.getAttribute('aria-expanded') !== 'true';
  button.setAttribute('aria-expanded', String(open));
  document.body.classList.toggle('menu-open', open);
}

function addCopyButton(figure) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(one('code', figure).textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Select and copy';
    }
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  figure.append(button);
}

let entries;
async function find(text) {
  entries ??= await (await fetch('/docs/search.json')).json();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ title, page }) => {
    const all = `${title} ${page}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const rank = ({ title, page }) =>
    (title.toLowerCase().startsWith(words[0]) ? 0 : 2) + (page === '' ? 0 : 1);
  return entries
    .filter(fits)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, 12);
}

async function showFound(input, list) {
  const text = input.value.trim();
  const found = text === '' ? [] : await find(text);
  if (input.value.trim() !== text) return;
  const items = found.map(({ path, title, page }) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = path;
    link.textContent = title;
    if (page !== '') {
      const where = document.createElement('small');
      where.textContent = page;
      link.append(where);
    }
    item.append(link);
    return item;
  });
  if (text !== '' && items.length === 0) {
    const item = document.createElement('li');
    item.className = 'nothing';
    item.textContent = 'No results.';
    items.push(item);
  }
  list.replaceChildren(...items);
  list.hidden = items.length === 0;
}

function moveFocus(event, input, list) {
  const stops = [input, ...list.querySelectorAll('a')];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') {
    input.value = '';
    list.hidden = true;
    input.blur();
  } else if (event.key === 'Enter' && document.activeElement === input) {
    stops[1]?.click();
  } else if (step !== undefined) {
    const at = stops.indexOf(document.activeElement) + step;
    stops[Math.max(0, Math.min(at, stops.length - 1))].focus();
    event.preventDefault();
  }
}

function startSearch() {
  const input = one('.search input');
  const list = one('.found');
  input.addEventListener('input', () => void showFound(input, list));
  one('.search').addEventListener('keydown', (event) => moveFocus(event, input, list));
  list.addEventListener('click', () => {
    list.hidden = true;
    if (document.body.classList.contains('menu-open')) toggleMenu();
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest('input, textarea, select');
    const wanted =
      (event.key === '/' && !typing) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!wanted) return;
    event.preventDefault();
    input.focus();
  });
}

one('.theme').addEventListener('click', switchTheme);
one('.menu').addEventListener('click', toggleMenu);
for (const figure of document.querySelectorAll('figure.code')) addCopyButton(figure);
startSearch();
one('#sidebar [aria-current]')?.scrollIntoView({ block: 'nearest' });
