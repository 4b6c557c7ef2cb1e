/** Colours that go together. `ink` is read on `paper`, and `paper` on `deep`: each pair has a contrast of 7 and more. */
export interface Palette {
  paper: string
  ink: string
  deep: string
  accent: string
  soft: string
}

const palettes: readonly [Palette, ...Palette[]] = [
  { paper: '#f5f1e8', ink: '#1d2a3a', deep: '#17324d', accent: '#e4572e', soft: '#9db8c9' },
  { paper: '#eef4f1', ink: '#12312b', deep: '#0f3d36', accent: '#f2a541', soft: '#8fc1b0' },
  { paper: '#f4eff7', ink: '#2a1a3e', deep: '#382056', accent: '#ff7a59', soft: '#b7a3d6' },
  { paper: '#fdf3ee', ink: '#3b1620', deep: '#5a1a2b', accent: '#f4b400', soft: '#e0a39a' },
  { paper: '#eef3fb', ink: '#14233f', deep: '#163a70', accent: '#ffb703', soft: '#9fb9e3' },
  { paper: '#f3f5ea', ink: '#26301a', deep: '#37471f', accent: '#d9480f', soft: '#b8c58d' }
]

/** The same for every cover of a category. */
export function paletteOf(category: string): Palette {
  const hash = [...category].reduce((sum, each) => (sum * 31 + (each.codePointAt(0) ?? 0)) % 65_521, 7)
  return palettes[hash % palettes.length] ?? palettes[0]
}
