// @ts-check
import { readFileSync } from 'node:fs'
import { defaultTheme } from 'galley/plugins/site'
import { home } from './templates/home.js'
import { post } from './templates/post.js'

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8')

/**
 * Two templates of its own, and galley's for all other pages. Its styles stand behind galley's, so that they win.
 * @type {import('galley/plugins/site').Theme}
 */
export default {
  ...defaultTheme,
  stylesheet: defaultTheme.stylesheet + style,
  texts: {
    en: { newest: 'Newest first' },
    de: { newest: 'Neueste zuerst' }
  },
  home,
  post
}
