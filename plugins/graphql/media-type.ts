export const graphqlType = 'application/graphql-response+json'
export const jsonType = 'application/json'

/** The media type of the answer. A client that accepts neither gets JSON, as the specification allows. */
export function mediaTypeFor(accept: string | undefined): typeof graphqlType | typeof jsonType {
  if (accept === undefined || !accept.includes(graphqlType)) return jsonType
  const qualityOf = (type: string): number => {
    const range = accept.split(',').find(each => each.split(';', 1)[0]?.trim().toLowerCase() === type)
    return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1)
  }
  const quality = qualityOf(graphqlType)
  return quality > 0 && quality >= qualityOf(jsonType) ? graphqlType : jsonType
}
