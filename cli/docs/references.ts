import type { ErrorDefinitions } from '../../core/contract/error-codes.ts'
import type { SettingView } from '../../core/settings/types.ts'
import type { ApiDocument, DocumentedOperation, DocumentedResponse } from './api-document.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const code = (text: string): string => (text === '' ? 'empty' : `\`${cell(text)}\``)

/** Every setting with its bounds, default and meaning, in Markdown. */
export function settingsReference(settings: readonly SettingView[]): string {
  const groups = Map.groupBy(settings, ({ category }) => category)
  const sections = [...groups].sort().map(([category, group]) => {
    const rows = group.map(
      ({ key, bounds, default: fallback, description }) =>
        `| \`${key}\` | ${cell(bounds ?? 'text')} | ${code(fallback ?? '')} | ${cell(description)} |`
    )
    return [`## ${category}`, ['| Key | Value | Default | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')]
  })
  return `${[settingsIntroduction, ...sections.flat()].join('\n\n')}\n`
}

const settingsIntroduction = `# Settings

Made from the plugins' declarations by \`npm run docs\`: change them, not this file.

A setting is changed with \`galley settings set <key> <value>\` or \`PUT /api/settings/{key}\`; every process follows within a second, without a restart. A value out of bounds is refused. \`galley settings list\` shows the values in use, \`settings disable\` puts the default in their place for a while. The group \`secrets\` is stored encrypted and shown as \`********\`.`

/** Every error code with its status, in Markdown. */
export function errorsReference(errors: ErrorDefinitions): string {
  const byStatus = Object.entries(errors).sort(([, a], [, b]) => a.status - b.status)
  const rows = byStatus.map(([name, { status, describe }]) => `| \`${name}\` | ${status} | ${cell(describe)} |`)
  return `${errorsIntroduction}\n\n| error_code | HTTP | When, and what to do |\n|---|---|---|\n${rows.join('\n')}\n`
}

const errorsIntroduction = `# Errors

Made from the codes of the kernel and of the plugins by \`npm run docs\`: change their declarations, not this file.

Every failure of every route answers

\`\`\`json
{ "error_code": "VALIDATION_ERROR", "message": "…", "errors": { "topic": "is required" }, "request_id": "…" }
\`\`\`

\`errors\` names each field at fault by its dotted path, \`body\` for the whole; it is \`{}\` when no field is. \`request_id\` is the \`X-Request-ID\` of the answer. A refused change changes nothing. \`POST /token\` and \`POST /revoke\` answer RFC 6749's \`{error, error_description}\` for what is wrong with the request (429 and 503 as everywhere), and \`/graphql\` its own \`{errors}\` (graphql.md) for what is wrong with a query; a request that is none, or its token, is refused as everywhere. Which route answers which code: [rest.md](rest.md). On the command line an error is a message on stderr, with \`--json\` one line of JSON, and an exit status: 2 when the command line or a value on it is at fault (\`VALIDATION_ERROR\`) or an id is ambiguous, else 1. Every faulty argument is named at once; with \`--json\`, \`errors\` names each in snake_case (\`quiet_hours\` for \`--quiet-hours\`), words too many as \`arguments\`, and the command itself as \`command\`.`

/** Every route with who may use it, its parameters and what it answers, in Markdown. */
export function restReference({ paths, tags }: ApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
  )
  const sections = tags.map(({ name, description = '' }) => [
    `## ${name}`,
    ...(description === '' ? [] : [description]),
    ...operations.filter(({ operation }) => operation.tags?.includes(name)).map(route)
  ])
  return `${[restIntroduction, ...sections.flat()].join('\n\n')}\n`
}

interface Described {
  path: string
  method: string
  operation: DocumentedOperation
}

function route({ path, method, operation }: Described): string {
  const { summary, description, parameters = [], requestBody, responses } = operation
  const those = (place: string) => parameters.flatMap(each => ('in' in each && each.in === place ? [each] : []))
  const lines = [
    ['Access', accessOf(operation)],
    ['Path', those('path').map(describedName).join(', ')],
    [
      'Query',
      those('query')
        .map(({ name }) => `\`${name}\``)
        .join(', ')
    ],
    ['Body', Object.keys(requestBody?.content ?? {}).join(', ')],
    [
      'Answers',
      Object.keys(responses)
        .filter(status => Number(status) < 400)
        .join(', ')
    ],
    ['Refusals', refusalsOf(responses).join(', ')]
  ].filter(([, value]) => value !== '')
  return [
    `### ${method.toUpperCase()} ${path}`,
    '',
    `${String(summary)}.${description === undefined ? '' : ` ${String(description)}`} (\`${operation.operationId}\`)`,
    '',
    ...lines.map(([name, value]) => `- ${name}: ${value}`)
  ].join('\n')
}

const describedName = ({ name, description }: { name: string; description?: string }): string =>
  `\`${name}\`${description === undefined ? '' : ` (${description})`}`

function accessOf(operation: Described['operation']): string {
  const [scope] = (operation.security ?? []).flatMap(each => each.bearer ?? [])
  switch (operation['x-access']) {
    case 'bearer':
      return `a token with \`${scope}\``
    case 'optional':
      return `everybody; a token with \`${scope}\` sees more`
    case 'signed':
      return 'a signature of the raw body'
    case 'preview':
      return 'the preview token in the path'
    default:
      return 'everybody'
  }
}

/** The codes of its own: those that every route may answer are named once, above. */
function refusalsOf(responses: Described['operation']['responses']): string[] {
  const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400 && Number(status) < 500)
  return failures.flatMap(([status, response]) => {
    const codes = codesIn(response).filter(name => !common.includes(name))
    return codes.map(name => `${status} \`${name}\``)
  })
}

const common = ['VALIDATION_ERROR', 'RATE_LIMITED']

/** The error codes that a response of the document names. */
export function codesIn({ $ref, content }: Pick<DocumentedResponse, '$ref' | 'content'>): string[] {
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return [name.replace(/[a-z](?=[A-Z])/g, '$&_').toUpperCase()]
  }
  return Object.keys(content?.['application/json']?.examples ?? {}).filter(name => /^[A-Z_]+$/.test(name))
}

const restIntroduction = `# REST

Made from the routes by \`npm run docs\`: change them, not this file.

[openapi.json](openapi.json) describes every field, header and example (OpenAPI 3.1); a running service has it at \`/openapi.json\`, with its own plugins, and as a page at \`/docs\`. \`clients/typescript\` in the source is a typed client made from it.

Every route may also answer 400 \`VALIDATION_ERROR\`, 429 \`RATE_LIMITED\`, 500 \`INTERNAL_ERROR\` and 503 \`SERVICE_UNAVAILABLE\`, and every path 405 \`METHOD_NOT_ALLOWED\` to other methods; \`HEAD\` goes wherever \`GET\` does. [errors.md](errors.md) says what each code means. \`X-Request-ID\` is taken from the request when it is a UUID and is on every answer. Public reads have an \`ETag\` and answer \`If-None-Match\` with 304. A \`POST\` with a token honours \`Idempotency-Key\` for 24 hours. Lists take \`limit\`, \`offset\` and \`cursor\`, and have a \`Link\` header.`
