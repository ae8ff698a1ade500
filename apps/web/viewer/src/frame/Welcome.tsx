// The first page: what this is, where files go, and samples.
import { samples, takeSample, type Sample } from '../opening';
import { Icon } from './ui';

const families = [
  ['Nintendo DS', 'models, textures and animations (NSBMD, NSBTX, NSBCA …), NARC, cartridges'],
  ['Pokémon Platinum', 'whole worlds from a cartridge or a decompilation: maps, props, light, events, heights'],
  ['Final Fantasy Tactics', 'battle maps in all their states, disc images'],
  ['Mario Kart Wii', 'course archives (.szs, .arc): courses, collision files, models, messages, lights'],
  ['PlayStation homebrew', 'psxsplash scene packs: rooms, video memory, sounds'],
];
const icons: Record<string, string> = { course: 'map', model: 'archive', world: 'game', tactics: 'game', pack: 'archive', broken: 'error' };

export function Welcome({ open, openFolder }: { open: () => void; openFolder: () => void }) {
  return (
    <div class="welcome" data-test="welcome">
      <div class="welcome-inner">
        <h1><Logo size={40} /> diorama</h1>
        <p class="lead">Drop a game file to see its picture, every value by name, every byte, and its problems. All views share one selection.</p>
        <button type="button" class="drop-zone" onClick={open} data-test="drop-zone">
          <Icon name="open" size={36} />
          <span><strong>Drop files, folders, cartridge images or disc images here</strong><br /><span class="dim">or click to choose files</span></span>
        </button>
        <p class="under">
          <span class="promise"><Icon name="shield" /> No data leaves your computer: this page works without a network.</span>
          <button type="button" class="link" onClick={openFolder}>Open a folder</button>
        </p>
        <h2>Or open a sample</h2>
        <ul class="samples">
          {samples().map((s: Sample) => (
            <li key={s.id}><button type="button" class="sample" onClick={() => void takeSample(s)} data-test={`sample-${s.id}`}><Icon name={icons[s.id] ?? 'file'} size={20} /><span><strong>{s.title}</strong><span class="dim">{s.family}</span></span></button></li>
          ))}
        </ul>
        <h2>Supported files</h2>
        <dl class="families">{families.map(([name, what]) => <><dt>{name}</dt><dd>{what}</dd></>)}</dl>
      </div>
    </div>
  );
}
export function Logo({ size = 20 }: { size?: number }) {
  return <svg class="logo" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true"><path fill="var(--accent)" d="M8 1 1 5v6l7 4 7-4V5z" /><path fill="var(--panel)" fill-opacity=".55" d="M8 1 1 5l7 4 7-4z" /><path fill="var(--panel)" fill-opacity=".25" d="M8 9v6l7-4V5z" /></svg>;
}
