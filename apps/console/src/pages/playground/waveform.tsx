import type { SessionAudio } from '@parley/client/audio';
import { useEffect, useRef } from 'react';
import styles from './talk-stage.module.css';

const bars = 28;

type Side = keyof SessionAudio['levels'];

/** The loudness of one side over about the last second. It is drawn without re-rendering. */
export function Waveform({
  audio,
  side,
}: {
  readonly audio: SessionAudio | undefined;
  readonly side: Side;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current } = canvas;
    const pen = current?.getContext('2d');
    if (!current || !pen) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const heights = Array<number>(bars).fill(0);
    let frame = 0;
    let drawn = 0;
    const draw = (time: number) => {
      if (audio) frame = requestAnimationFrame(draw);
      if (time - drawn < (still ? 250 : 40)) return;
      drawn = time;
      const level = audio?.levels[side] ?? 0;
      if (still) heights.fill(level);
      else heights.splice(0, heights.length, ...heights.slice(1), level);
      paint(pen, current, side === 'microphone' ? heights : heights.toReversed());
    };
    draw(1_000);
    return () => cancelAnimationFrame(frame);
  }, [audio, side]);
  return <canvas ref={canvas} className={styles.wave} aria-hidden="true" data-side={side} />;
}

/** Both sides move away from the button between them. */
function paint(
  pen: CanvasRenderingContext2D,
  canvas: HTMLCanvasElement,
  heights: readonly number[],
): void {
  const scale = devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== width * scale || canvas.height !== height * scale) {
    canvas.width = width * scale;
    canvas.height = height * scale;
  }
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.fillStyle = getComputedStyle(canvas).color;
  const step = width / bars;
  for (const [at, level] of heights.entries()) {
    const tall = Math.max(2, level * height);
    pen.beginPath();
    pen.roundRect(at * step + step * 0.2, (height - tall) / 2, step * 0.6, tall, 2);
    pen.fill();
  }
}
