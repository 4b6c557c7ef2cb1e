import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, InputError } from '../../contract/errors.ts'
import { messageOf } from '../../unknown.ts'

/** Replaces Fastify's parsers: JSON only, its bytes checked, and an empty body counts as none. Plugins add their own in their scope. */
export function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = async ({ headers }: FastifyRequest, body: Buffer) => {
    refuseCharset(headers['content-type'] ?? '')
    return parseJson(body)
  }
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, parse)
}

/** JSON is UTF-8 (RFC 8259 §8.1): text announced as anything else would be read wrongly. */
function refuseCharset(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType)?.[1]
  if (charset === undefined || charset.toLowerCase() === 'utf-8') return
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The charset ${JSON.stringify(charset.slice(0, 100))} is not accepted: send JSON as UTF-8.`
  )
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw new InputError({ body: 'is not valid UTF-8' })
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new InputError({ body: `is not valid JSON: ${messageOf(error).replaceAll('\0', '\\0')}` })
  }
}
