import { referenceOf } from './cli-reference.ts'
import { errorsReference, restReference, settingsReference } from './references.ts'
import type { ServiceDescription } from './service-description.ts'

/** The files of `docs/` that are made from the code, by name. */
export function madeDocuments({
  commands,
  errors,
  openapi,
  settings
}: ServiceDescription): Readonly<Record<string, string>> {
  return {
    'cli.md': referenceOf(commands, 'galley'),
    'errors.md': errorsReference(errors),
    'openapi.json': `${JSON.stringify(openapi, null, 1)}\n`,
    'rest.md': restReference(openapi),
    'settings.md': settingsReference(settings)
  }
}
