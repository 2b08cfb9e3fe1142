import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { SvcError } from '../base/errors/svc-error.ts'
import { JsonSyntaxError, parsePlacedJson } from '../base/util/placed-json.ts'
import type { AuthoredSchema, SourceLocation } from '../schema/authored.ts'
import { loadSchemaModule } from './load-module.ts'
import { loadPythonModule } from './python/load-python.ts'
import type { PythonOptions } from './python/python-options.ts'

export interface LoadedSchema {
  /** The authored schema. Each element has its source location in `$place`. */
  readonly schema: AuthoredSchema
  /** Absolute path of the TypeScript, JavaScript or Python module; `null`: the schema was read from a `.json` file. */
  readonly module: string | null
  /** Absolute paths of the source files that are known. A module in TypeScript reports only itself. */
  readonly files: readonly string[]
}

export interface LoadOptions {
  /**
   * Folder that paths of modules in the schema are relative to, usually the folder of svc.toml. Default: the folder of
   * the schema.
   */
  readonly baseDir?: string
  /** How a module in Python is run. */
  readonly python?: PythonOptions
}

const MODULE_EXTENSIONS = new Set(['.ts', '.mts', '.js', '.mjs'])

/**
 * Reads an authored schema: imports a TypeScript or JavaScript module and collects its declarations, runs a Python
 * module, or parses a `.json` file. The content is checked later, by the compiler.
 * @param input absolute path
 * @throws SvcError SVC_SCHEMA_NOT_FOUND: there is no such file; SVC_SCHEMA_INVALID: it cannot be imported or parsed
 * (the message has the location); SVC_PYTHON_MISSING: no interpreter can run it; SVC_USAGE: it is another kind of file
 */
export async function loadSchema(input: string, options: LoadOptions = {}): Promise<LoadedSchema> {
  if (!existsSync(input) || !statSync(input).isFile()) {
    throw new SvcError('SVC_SCHEMA_NOT_FOUND', `There is no schema at ${input}. Create one with: svc init`)
  }
  const extension = extname(input)
  if (MODULE_EXTENSIONS.has(extension))
    return { schema: await loadSchemaModule(input, options.baseDir), module: input, files: [input] }
  if (extension === '.py') {
    const { schema, files } = await loadPythonModule(input, options.baseDir, options.python)
    return { schema, module: input, files }
  }
  if (extension === '.json')
    return { schema: parseSchemaJson(await readFile(input, 'utf8'), input), module: null, files: [input] }
  const known = [...MODULE_EXTENSIONS, '.py', '.json'].join(', ')
  throw new SvcError('SVC_USAGE', `${input} is no schema: svc compile reads ${known}.`)
}

/**
 * Parses the text of `schema.json`. Adds to each element and field its source location, as `$place`.
 * @param file absolute path, for locations
 * @throws SvcError SVC_SCHEMA_INVALID with line and column
 */
export function parseSchemaJson(text: string, file: string): AuthoredSchema {
  try {
    const { value, placeOf } = parsePlacedJson(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new JsonSyntaxError('a schema is one JSON object', 1, 1)
    }
    addPlaces(value, (object) => {
      const place = placeOf(object)
      return place === undefined ? undefined : { file, ...place }
    })
    return value as AuthoredSchema
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    const message = `${file}:${error.line}:${error.column}: ${error.message}`
    throw new SvcError('SVC_SCHEMA_INVALID', message, { cause: error })
  }
}

function addPlaces(schema: object, placeOf: (object: object) => SourceLocation | undefined): void {
  for (const collection of Object.values(schema)) {
    if (!Array.isArray(collection)) continue
    for (const element of collection) {
      addPlace(element, placeOf)
      const { fields } = (element ?? {}) as { readonly fields?: unknown }
      if (Array.isArray(fields)) for (const field of fields) addPlace(field, placeOf)
    }
  }
}

function addPlace(element: unknown, placeOf: (object: object) => SourceLocation | undefined): void {
  if (typeof element !== 'object' || element === null || !('name' in element)) return
  const place = placeOf(element)
  if (place !== undefined) Object.assign(element, { $place: place })
}
