// Lets readers of the reference send requests. The organization's id and the key live only in the
// two fields: not in storage, not in the address, not in the curl line.
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const labelled = (text, field) => make('label', {}, make('span', { textContent: text }), field);
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const organization = make('input', {
  autocomplete: 'off',
  spellcheck: false,
  placeholder: '00000000-0000-0000-0000-000000000000',
});
const key = make('input', {
  type: 'password',
  autocomplete: 'off',
  spellcheck: false,
  placeholder: 'parley_…',
});

const stay = (event) => event.preventDefault();

document.querySelector('#try-credentials').append(
  make(
    'form',
    { className: 'credentials', onsubmit: stay },
    make('p', {
      textContent:
        'To try requests here, enter a key. It stays in this tab’s memory until you leave the page.',
    }),
    labelled('Organization id', organization),
    labelled('API key', key),
  ),
);

/** The request with the current values of the fields. */
function requestOf({ method, path, parameters, body, upload }, fields) {
  const query = new URLSearchParams();
  const headers = {};
  let target = path;
  for (const { name, in: place } of parameters) {
    const value = fields.get(name).value.trim();
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '' && place === 'query') query.append(name, value);
    else if (value !== '') headers[name] = value;
  }
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return {
    method,
    path: query.size > 0 ? `${target}?${query}` : target,
    headers,
    json: body === undefined ? undefined : fields.get('body').value,
    file: upload && { field: upload, file: fields.get('file').files[0] },
  };
}

function curlOf({ method, path, headers, json, file }) {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$BASE_URL${path}"`,
    '-H "X-Api-Key: $API_KEY" -H "X-Org-Id: $ORG_ID"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(json ? [`-d ${quoted(json)}`] : []),
    ...(file ? [`-F ${quoted(`${file.field}=@${file.file?.name ?? 'FILE'}`)}`] : []),
  ];
  return lines.join(' \\\n  ');
}

async function send({ method, path, headers, json, file }) {
  let body = json === '' ? undefined : json;
  if (file) {
    body = new FormData();
    if (file.file) body.append(file.field, file.file);
  }
  const own = { 'X-Api-Key': key.value.trim(), 'X-Org-Id': organization.value.trim() };
  const init = { method, headers: { ...own, ...headers }, body, credentials: 'omit' };
  const response = await fetch(path, init);
  return { response, text: await response.text() };
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function showAnswer(output, { response, text }) {
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  output.replaceChildren(
    make('p', {
      className: response.ok ? 'status ok' : 'status failed',
      textContent: `${response.status} ${response.statusText}`,
    }),
    make(
      'details',
      {},
      make('summary', { textContent: 'Headers' }),
      make('pre', {}, make('code', { textContent: headers })),
    ),
    make('pre', { tabIndex: 0 }, make('code', { textContent: pretty(text) || '(no body)' })),
  );
}

function fieldsFor(operation) {
  const fields = new Map(
    operation.parameters.map(({ name }) => [
      name,
      make('input', { name, autocomplete: 'off', spellcheck: false }),
    ]),
  );
  if (operation.body !== undefined)
    fields.set('body', make('textarea', { value: operation.body, spellcheck: false, rows: 8 }));
  if (operation.upload !== undefined) fields.set('file', make('input', { type: 'file' }));
  return fields;
}

function labelOf(operation, name) {
  if (name === 'body') return 'Body';
  if (name === 'file') return `File (${operation.upload})`;
  const { in: place, required } = operation.parameters.find((each) => each.name === name);
  return `${name} (${place}${required ? ', required' : ''})`;
}

function panelOf(operation) {
  const fields = fieldsFor(operation);
  const curl = make('code');
  const output = make('div', { className: 'answer' });
  output.setAttribute('aria-live', 'polite');
  const button = make('button', { className: 'send', textContent: `Send ${operation.method}` });
  const form = make(
    'form',
    { className: 'panel' },
    ...[...fields].map(([name, field]) => labelled(labelOf(operation, name), field)),
    make('pre', { className: 'curl', tabIndex: 0 }, curl),
    button,
    output,
  );
  const refresh = () => (curl.textContent = curlOf(requestOf(operation, fields)));
  form.addEventListener('input', refresh);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      showAnswer(output, await send(requestOf(operation, fields)));
    } catch {
      const textContent = 'The request got no response. Is the service running?';
      output.replaceChildren(make('p', { className: 'status failed', textContent }));
    }
    button.disabled = false;
  });
  refresh();
  return form;
}

let operations;
for (const place of document.querySelectorAll('.try')) {
  const button = make('button', { type: 'button', className: 'open', textContent: 'Try it' });
  button.addEventListener('click', async () => {
    operations ??= await (await fetch('/docs/operations.json')).json();
    const panel = panelOf(operations.find(({ id }) => id === place.dataset.operation));
    place.replaceChildren(panel);
    panel.querySelector('input, textarea, button')?.focus();
  });
  place.append(button);
}
