/** Whose code a plugin is. `in-process`: no file was loaded for it, as for the kernel's own. */
export type Origin = 'built-in' | 'third-party' | 'in-process'
