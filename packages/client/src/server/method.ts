/** A method of the client: the request that it sends, and how it handles the response. */
export type Method = {
  readonly verb: Verb;
  readonly path: string;
  /** What it takes between the ids in the path and the options. */
  readonly takes: 'nothing' | 'query' | 'body' | 'file';
  readonly gives: Gives;
};

export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Gives =
  | 'nothing'
  | 'json'
  /** JSON that may take as long as a question. */
  | 'answer'
  | 'page'
  | 'events'
  /** Events, for as long as somebody listens. */
  | 'happenings'
  | 'records'
  | 'text'
  | 'download';
