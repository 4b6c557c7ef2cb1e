/** Everything that a theme is written with, and galley's own theme to begin with. */

export { layout, type PageFrame } from './theme/layout.ts'
export { entry, pagination } from './theme/partials.ts'
export { defaultTheme } from './theme/theme.ts'
export * from './theme-primitives.ts'
export { checkTheme } from './themes/check-theme.ts'
