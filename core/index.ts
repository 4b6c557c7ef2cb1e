/** `#core`: what galley's own plugins import of the core. Others have the contract from `galley/plugin`, the rest from `galley/toolkit`. */
export * from './contract/index.ts'
export * from './toolkit.ts'
