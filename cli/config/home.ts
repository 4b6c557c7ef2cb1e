import { homedir } from 'node:os'
import path from 'node:path'
import { bootstrapFile, readBootstrap } from '../../core/home.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Folder of the installation: `GALLEY_HOME`, else `~/.galley`. */
export function findHome(env: Environment): string {
  const named = env.GALLEY_HOME ?? ''
  return named === '' ? path.join(homedir(), '.galley') : path.resolve(named)
}

/** The file before it counts. While it is there and `bootstrap.env` is not, a first setup has not ended. */
export const unfinishedFile = (home: string): string => `${bootstrapFile(home)}.unfinished`

/** Folder of the embedded database. */
export const dataFolder = (home: string): string => path.join(home, 'data')

/**
 * What is configured: the process environment over `bootstrap.env`. An empty variable counts as absent,
 * so that `DATABASE_URL=` in a service file does not hide the file's.
 */
export function readVariables(env: Environment, home: string): Record<string, string> {
  const isGiven = (entry: [string, string | undefined]): entry is [string, string] =>
    entry[1] !== undefined && entry[1] !== ''
  const given = (from: Environment) => Object.fromEntries(Object.entries(from).filter(isGiven))
  return { ...given(readBootstrap(home) ?? {}), ...given(env) }
}
