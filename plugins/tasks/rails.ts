import type { Rail } from './pipeline.ts'
import { bannedPhrases } from './rails/banned-phrases.ts'
import { grounding } from './rails/grounding.ts'
import { length } from './rails/length.ts'
import { links } from './rails/links.ts'
import { placeholders } from './rails/placeholders.ts'
import { readability } from './rails/readability.ts'
import { repetition } from './rails/repetition.ts'
import { structure } from './rails/structure.ts'
import { title } from './rails/title.ts'

/** The checks that need nothing but the draft and its assignment, in the order they are reported. */
export const builtInRails: readonly Rail[] = [
  grounding,
  length,
  structure,
  title,
  repetition,
  placeholders,
  bannedPhrases,
  links,
  readability
]
