/** The info string of a fenced block: `bash no-run="it needs a cluster"`, `js file=talk.mjs`. */
export type SnippetInfo = {
  readonly language: string;
  readonly attributes: ReadonlyMap<string, string>;
};

export function parseInfo(info: string): SnippetInfo {
  const [language = ''] = /^\S*/.exec(info) ?? [];
  const rest = info.slice(language.length);
  const attributes = [...rest.matchAll(/ ([a-z-]+)(?:=("[^"]*"|\S+))?/g)];
  return {
    language,
    attributes: new Map(
      attributes.map(([, name = '', value = '']) => [name, value.replaceAll('"', '')]),
    ),
  };
}
