import { expect } from 'chai';
import { httpRequest, type HttpTool } from '#src/tools/http-request.js';
import { ToolFailure } from '#src/tools/tool.js';

const requestOf = (tool: Partial<HttpTool>, values: Record<string, unknown> = {}) =>
  httpRequest(
    {
      kind: 'http',
      name: 't',
      description: 'T',
      method: 'POST',
      url: 'https://h.example/',
      ...tool,
    },
    { arguments: values, secrets: new Map([['KEY', 's"1']]) },
    'call-1',
  );

describe('httpRequest', () => {
  it('puts arguments into the URL, encoded', () => {
    const url = 'https://h.example/items/{{id}}?q={{q}}';
    expect(requestOf({ url }, { id: 'a/../b?c#d', q: 'x&y=z' }).url).to.equal(
      'https://h.example/items/a%2F..%2Fb%3Fc%23d?q=x%26y%3Dz',
    );
    expect(requestOf({ url }, { id: 7, q: true }).url).to.equal('https://h.example/items/7?q=true');
    expect(requestOf({ url }, { id: 'a' }).url).to.equal('https://h.example/items/a?q=');
    for (const id of ['.', '..'])
      expect(() => requestOf({ url }, { id, q: 'x' })).to.throw(ToolFailure);
  });

  it('sends the arguments as the query of GET and DELETE, without those of the path', () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const request = requestOf(
        { method, url: 'https://h.example/{{id}}?fixed=1' },
        { id: 'a', q: 'x y', tags: ['a', 'b'], none: null, deep: { n: 1 } },
      );
      expect(request.url).to.equal(
        'https://h.example/a?fixed=1&q=x+y&tags=a&tags=b&deep=%7B%22n%22%3A1%7D',
      );
      expect(request).to.not.have.property('body');
    }
  });

  it('neither doubles nor replaces a parameter that the URL fixes', () => {
    const url = 'https://h.example/?tenant=acme&id={{id}}';
    for (const name of ['tenant', 'Tenant', 'tenant[]', 'tenant[0]', 'tenant.id'])
      expect(requestOf({ method: 'GET', url }, { id: '1', [name]: 'globex', q: 'x' }).url).to.equal(
        'https://h.example/?tenant=acme&id=1&q=x',
      );
    const named = 'https://h.example/?tenant=acme&{{key}}={{value}}';
    for (const method of ['GET', 'POST'] as const) {
      const call = (key: string) => requestOf({ method, url: named }, { key, value: 'globex' });
      expect(call('colour').url).to.equal('https://h.example/?tenant=acme&colour=globex');
      expect(() => call('tenant')).to.throw(ToolFailure, 'tenant');
      expect(() => call('TENANT[]')).to.throw(ToolFailure, 'tenant');
    }
  });

  it('sends the arguments as JSON where there is no body template', () => {
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      const { body, headers } = requestOf({ method }, { a: [1] });
      expect(body).to.equal('{"a":[1]}');
      expect(headers['content-type']).to.equal('application/json');
    }
  });

  it('fills a JSON body: values stand alone, texts inside of strings', () => {
    const body =
      '{"n":{{n}},"o":{{o}},"s":{{s}},"in":"<{{s}}>","k":"{{secret:KEY}}","gone":{{gone}}}';
    const filled = requestOf({ body }, { n: 1, o: { a: [true] }, s: '"},{"x":"' }).body!;
    expect(JSON.parse(filled)).to.deep.equal({
      n: 1,
      o: { a: [true] },
      s: '"},{"x":"',
      in: '<"},{"x":">',
      k: 's"1',
      gone: null,
    });
  });

  it('fills other bodies as their type says', () => {
    const fill = (type: string, body: string) =>
      requestOf({ body, headers: { 'Content-Type': type } }, { a: '<&"=' }).body;
    expect(fill('application/x-www-form-urlencoded', 'a={{a}}')).to.equal('a=%3C%26%22%3D');
    expect(fill('text/xml; charset=utf-8', '<a>{{a}}</a>')).to.equal('<a>&lt;&amp;&quot;=</a>');
    expect(fill('application/vnd.api+json', '{"a":"{{a}}"}')).to.equal('{"a":"<&\\"="}');
    expect(fill('text/plain', 'a: {{a}}')).to.equal('a: <&"=');
  });

  it('refuses a header that an argument would split', () => {
    const headers = { 'X-Name': '{{name}}' };
    expect(requestOf({ headers }, { name: 'Ada' }).headers).to.include({ 'x-name': 'Ada' });
    for (const name of ['a\r\nX-Evil: 1', 'a\nb', 'a\0b', 'ł'])
      expect(() => requestOf({ headers }, { name })).to.throw(ToolFailure);
    expect(requestOf({ headers: { Authorization: 'Bearer {{secret:KEY}}' } }).headers).to.include({
      authorization: 'Bearer s"1',
    });
    expect(() => requestOf({ headers: { 'X-K': '{{secret:OTHER}}' } })).to.throw(
      ToolFailure,
      'OTHER',
    );
  });

  it('names the call, so that a server can tell a repetition', () => {
    const key = (id: string) =>
      httpRequest(
        { kind: 'http', name: 't', description: 'T', method: 'POST', url: 'https://h.example/' },
        { arguments: {}, secrets: new Map() },
        id,
      ).headers['idempotency-key'];
    expect(key('a'))
      .to.equal(key('a'))
      .and.to.match(/^[0-9a-f]{64}$/);
    expect(key('a')).to.not.equal(key('b'));
  });

  it('does not read names of the prototype as arguments', () => {
    expect(requestOf({ body: 'x {{constructor}} {{toString}}' }).body).to.equal('x  ');
  });
});
