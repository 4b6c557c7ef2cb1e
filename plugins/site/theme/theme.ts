import type { Theme } from '../theme-primitives.ts'
import { failure } from './failure.ts'
import { icon } from './icon.ts'
import { archive, home, label } from './lists.ts'
import { podcast } from './podcast.ts'
import { post } from './post.ts'
import { script } from './script.ts'
import { search } from './search.ts'
import { staticPage } from './static-page.ts'
import { stylesheet } from './stylesheet.ts'

/** The theme that galley comes with. */
export const defaultTheme: Theme = {
  stylesheet,
  icon,
  script,
  home,
  label,
  archive,
  post,
  staticPage,
  search,
  podcast,
  failure
}
