import openapiTypescript, { astToString } from 'openapi-typescript'

/** TypeScript types of an OpenAPI document, by openapi-typescript. It changes the document it is given, hence the copy. */
export async function makeTypes(document: object): Promise<string> {
  return astToString(await openapiTypescript(structuredClone(document) as Parameters<typeof openapiTypescript>[0]))
}
