import { ParleyAgentElement } from './element.js';

export { ParleyAgentElement };
export type { Texts } from './texts.js';

declare global {
  interface HTMLElementTagNameMap {
    'parley-agent': ParleyAgentElement;
  }
}

const name = 'parley-agent';
if ('customElements' in globalThis && !customElements.get(name))
  customElements.define(name, ParleyAgentElement);
