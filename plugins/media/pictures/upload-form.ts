import { PictureError } from './picture-error.ts'

/** The file of a form with one file. The runtime's own parser reads it; the child process bounds it. @throws PictureError */
export async function pictureInForm(body: Uint8Array, contentType: string): Promise<Uint8Array> {
  const files = (await fieldsOf(body, contentType)).filter(value => value instanceof File)
  const [file] = files
  if (file === undefined)
    throw new PictureError('VALIDATION_ERROR', 'is missing: the form has no file. Send it as the field file')
  if (files.length > 1)
    throw new PictureError('VALIDATION_ERROR', `is one of ${files.length} in the form: send each in a form of its own`)
  return new Uint8Array(await file.arrayBuffer())
}

async function fieldsOf(body: Uint8Array, contentType: string) {
  try {
    const form = await new Response(Buffer.from(body), { headers: { 'content-type': contentType } }).formData()
    return [...form.values()]
  } catch {
    throw new PictureError('VALIDATION_ERROR', 'is missing: the body is no multipart form')
  }
}
