/** Characters. */
const maxMessageLength = 200

// Keys as OpenAI and others write them, cut or starred ones included.
const secrets = /\b(?:sk|hf|gsk)[-_][\w*.-]{6,}|\bBearer\s+\S+/gi

/** What an error of a server says itself, in one line without the key that it was asked with; empty when it has no message. */
export function serverMessage(body: string, apiKey: string): string {
  const key = apiKey.trim()
  const message = messageIn(body)
  const hidden = (key === '' ? message : message.replaceAll(key, '…')).replace(secrets, '…')
  const line = hidden
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const characters = [...line]
  if (characters.length <= maxMessageLength) return line
  return `${characters
    .slice(0, maxMessageLength - 1)
    .join('')
    .trimEnd()}…`
}

/** The message of an error as OpenAI, Ollama (`error`), vLLM (`message`) and FastAPI (`detail`) put it, or a short plain text. */
function messageIn(body: string): string {
  try {
    const { error, message, detail } = Object(JSON.parse(body))
    const [first] = Array.isArray(detail) ? detail : []
    const found = [error?.message, error, message, detail, first?.msg].find(each => typeof each === 'string')
    return found ?? ''
  } catch {
    return body.length <= maxMessageLength && !body.trimStart().startsWith('<') ? body : ''
  }
}
