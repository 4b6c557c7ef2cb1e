import { type App, access, requestSignal, Type } from '#core'
import { pictureLimits } from '../pictures/picture-limits.ts'
import type { Images } from './images.ts'

/** A form has a little around its file. */
const bodyLimit = pictureLimits.maxBytes + 65_536

const rawTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif', 'application/octet-stream']

const Image = Type.Object(
  {
    filename: Type.String({ examples: ['0f3a5c.jpg'] }),
    url: Type.String({ examples: ['https://example.org/images/generated/0f3a5c.jpg'] }),
    width: Type.Integer({ examples: [1200] }),
    height: Type.Integer({ examples: [630] }),
    bytes: Type.Integer({ examples: [48_213] }),
    content_type: Type.String({ examples: ['image/jpeg'] })
  },
  { title: 'Image' }
)

const binary = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })
const form = Type.Object({ file: binary })

/** Every type of picture, and forms: the bytes decide what it is. */
export function uploadRoute(app: App, images: Images): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    [...rawTypes, 'multipart/form-data'],
    { parseAs: 'buffer', bodyLimit },
    (_request, body, done) => done(null, body)
  )
  const schema = {
    operationId: 'addImage',
    tags: ['media'],
    summary: 'Upload a picture: a JPEG, PNG, WebP, AVIF or GIF of at most 10 MB',
    response: { 201: Image }
  }
  app.post(
    '/api/images',
    {
      config: {
        access: access.bearer('api:write'),
        bodyLimit,
        documentation: { errors: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'SERVICE_UNAVAILABLE'] }
      },
      schema: { ...schema, body: { content: bodyContent() } },
      // The document describes the bytes; they are checked by decoding them.
      validatorCompiler: part => (part.httpPart === 'body' ? () => true : compileSchema(app, part))
    },
    async (request, reply) => {
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const contentType = request.headers['content-type'] ?? ''
      const image = await images.add({ bytes, contentType }, requestSignal(request))
      return reply.code(201).header('location', image.url).send(image)
    }
  )
}

type SchemaPart = Parameters<NonNullable<App['validatorCompiler']>>[0]

function compileSchema(app: App, part: SchemaPart) {
  if (app.validatorCompiler === undefined) throw new TypeError('The service has no validator.')
  return app.validatorCompiler(part)
}

const bodyContent = () => ({
  ...Object.fromEntries(rawTypes.map(type => [type, { schema: binary }])),
  'multipart/form-data': { schema: form }
})
