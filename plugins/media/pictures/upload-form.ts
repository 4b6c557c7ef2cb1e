import { PictureError } from './picture-error.ts'

/** The one field of a form. */
const fieldName = 'file'

/** The file of a form with one file and nothing else. The runtime's own parser reads it; the child process bounds it. @throws PictureError */
export async function pictureInForm(body: Uint8Array, contentType: string): Promise<Uint8Array> {
  const fields = await fieldsOf(body, contentType)
  const unknown = [...new Set(fields.map(([name]) => name))].filter(name => name !== fieldName)
  if (unknown.length > 0) throw unknownFields(unknown)
  const files = fields.map(([, value]) => value).filter(value => value instanceof File)
  const [file] = files
  if (file === undefined)
    throw new PictureError('VALIDATION_ERROR', 'is missing: the form has no file. Send it as the field file')
  if (files.length > 1)
    throw new PictureError('VALIDATION_ERROR', `is one of ${files.length} in the form: send each in a form of its own`)
  return new Uint8Array(await file.arrayBuffer())
}

function unknownFields(names: readonly string[]): PictureError {
  const shown = names.slice(0, 5).map(name => JSON.stringify(name.slice(0, 100)))
  return new PictureError(
    'VALIDATION_ERROR',
    `comes in a form with the unknown field ${shown.join(', ')}`,
    `send it alone, as the field ${fieldName}`
  )
}

async function fieldsOf(body: Uint8Array, contentType: string) {
  try {
    const form = await new Response(Buffer.from(body), { headers: { 'content-type': contentType } }).formData()
    return [...form.entries()]
  } catch {
    throw new PictureError('VALIDATION_ERROR', 'is missing: the body is no multipart form')
  }
}
