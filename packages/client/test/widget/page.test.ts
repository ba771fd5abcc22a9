import { expect } from 'chai';
import { clockOf } from '#src/widget/countdown.js';
import { defaultBaseUrl } from '#src/widget/element.js';
import { lightnessOf } from '#src/widget/page-scheme.js';

describe('a page around the widget', () => {
  it('finds the service where the script came from, and at its own origin in a bundle', () => {
    const page = 'https://shop.example';
    expect(defaultBaseUrl('https://parley.example/widget.js', page)).to.equal(
      'https://parley.example',
    );
    expect(defaultBaseUrl('https://parley.example/widget.js?v=2', page)).to.equal(
      'https://parley.example',
    );
    expect(defaultBaseUrl('https://cdn.example/assets/index-4f2a.js', page)).to.equal(page);
  });

  it('is light or dark by its background, if it has one', () => {
    expect(lightnessOf('rgb(255, 255, 255)')).to.equal(1);
    expect(lightnessOf('rgba(18, 19, 23, 0.9)')).to.be.below(0.1);
    for (const none of ['rgba(0, 0, 0, 0)', 'transparent', 'oklch(0.2 0 0)', ''])
      expect(lightnessOf(none), none).to.equal(undefined);
  });

  it('shows time as a clock does', () => {
    expect([299, 60, 5, 0.2, 0, -3, 3600].map(clockOf)).to.deep.equal([
      '4:59',
      '1:00',
      '0:05',
      '0:01',
      '0:00',
      '0:00',
      '1:00:00',
    ]);
  });
});
