import path from 'node:path'
import { bounded, LimitError } from '#child-process'
import type { Rail } from '../ports.ts'
import { type BuiltInCheck, type BuiltInFindings, builtInRails } from './built-in.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const module = new URL(`./built-in${path.extname(import.meta.url)}`, import.meta.url)
const checkBounded = bounded<BuiltInFindings>(module, 'checkDraft')

/**
 * The rails, where the service's own have been run and answer their findings: they run in bounds, since a draft is a model's, and
 * no text may hold up the process. The rails of plugins stay as they are.
 * @throws UnavailableError when too many texts wait.
 */
export async function withBuiltInFindings(
  rails: readonly Rail[],
  asked: BuiltInCheck,
  client: string
): Promise<Rail[]> {
  const findings = await findingsOf(asked, client)
  return rails.map(rail => {
    if (!builtInRails.some(own => own === rail)) return rail
    return { ...rail, check: () => findingOf(findings, rail.name) }
  })
}

async function findingsOf(asked: BuiltInCheck, client: string): Promise<BuiltInFindings> {
  try {
    return await checkBounded(JSON.stringify(asked), client)
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    const finding = { score: 0, note: `The draft cannot be checked: it ${error.message}.` }
    return Object.fromEntries(builtInRails.map(({ name }) => [name, { isDone: true, finding }]))
  }
}

function findingOf(findings: BuiltInFindings, name: string) {
  const result = findings[name]
  if (result === undefined) return null
  if (!result.isDone) throw new Error(result.error)
  return result.finding
}
