import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

interface Generator {
  default(document: unknown): Promise<readonly unknown[]>
  astToString(ast: readonly unknown[]): string
}

/**
 * TypeScript types of a document, by openapi-typescript. It writes them with the API of TypeScript 5, which the compiler of this
 * project no longer has: it is lent the one that the test runner brings.
 */
export async function makeTypes(document: object): Promise<string> {
  const place = require.resolve('openapi-typescript')
  const wanted = createRequire(place).resolve('typescript')
  const typescript: unknown = createRequire(require.resolve('tshy/package.json'))('typescript')
  const before = require.cache[wanted]
  require.cache[wanted] = { exports: typescript, loaded: true, id: wanted, filename: wanted } as NodeJS.Module
  try {
    const generator = require(place) as Generator
    return generator.astToString(await generator.default(structuredClone(document)))
  } finally {
    if (before === undefined) delete require.cache[wanted]
    else require.cache[wanted] = before
  }
}
