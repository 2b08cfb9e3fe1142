import { Ajv, type ValidateFunction } from 'ajv'
import addFormatsModule from 'ajv-formats'
import { defaultConfig } from '../../../core/config/default-config.ts'
import type { InjectResponse } from '../../../core/service/http/inject.ts'
import { describeService } from '../../../plugins/openapi/describe-service.ts'
import { buildDocument } from '../../../plugins/openapi/document/build-document.ts'
import type { TestApp } from '../../helpers/open-app.ts'

const addFormats = addFormatsModule as unknown as (ajv: Ajv) => void

interface Reporter {
  fail(message: string): unknown
}
// biome-ignore lint/suspicious/noExplicitAny: a document, which is walked by path
type Json = any

/**
 * Holds every answer of a REST test against the OpenAPI document of the service: its path and status are in it, its headers and its
 * body are what the document says. Validators are compiled once, when first needed.
 * @returns give it method, path below the base and answer
 */
export function answerChecker(t: Reporter, app: TestApp) {
  const rest = app.kernel.provided('rest')
  if (rest === undefined) throw new Error('REST does not run')
  const routes = rest.describe(app.kernel.generation.schema)
  const options = { title: 'test', api_version: '1', openapi_enabled: true, openapi_page: false }
  const document: Json = buildDocument(describeService(routes, rest, options, defaultConfig(), []))
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false })
  addFormats(ajv)
  ajv.addSchema(document, 'document')
  const validators = new Map<string, ValidateFunction>()
  // Literal segments before placeholders, as routes are found.
  const paths = Object.keys(document.paths)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{[^}]*\}/g, '[^/]+')}$`) }))

  return (method: string, url: string, { status, headers, text }: InjectResponse): void => {
    const [pathname = '', query = ''] = url.split('?')
    const where = `${method} ${url.slice(0, 200)} → ${status}`
    const of = (name: string) => paths.find(({ path, pattern }) => pattern.test(pathname) && document.paths[path][name])
    const found = of(method.toLowerCase()) ?? (method === 'HEAD' ? of('get') : undefined)
    if (found === undefined) {
      if (![404, 405].includes(status) && method !== 'OPTIONS') t.fail(`${where}: it is not in the document`)
      return
    }
    const operation = document.paths[found.path][method === 'HEAD' ? 'get' : method.toLowerCase()]
    let pointer = `/paths/${escapePointer(found.path)}/${method === 'HEAD' ? 'get' : method.toLowerCase()}/responses/${status}`
    let response = operation.responses[status]
    if (response === undefined) {
      t.fail(`${where}: ${found.path} has no such status, but ${Object.keys(operation.responses).join(', ')}`)
      return
    }
    if (typeof response.$ref === 'string') {
      pointer = response.$ref.slice(1)
      response = document.components.responses[pointer.split('/').at(-1)!]
    }
    const known = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase())
    for (const name of Object.keys(headers)) {
      if (TOLD.has(name) && !known.includes(name)) t.fail(`${where}: the header ${name} is not in the document`)
    }
    if (method === 'HEAD' || text === '') return
    const type = String(headers['content-type']).split(';')[0]!
    if (response.content?.[type] === undefined) {
      t.fail(`${where}: ${type} is not in the document`)
      return
    }
    // Under another name there is another value; what is no JSON is described as a text.
    if (type !== 'application/json' || /(^|&)select=[^&]*(:|%3a)/i.test(query)) return
    const id = `document#${pointer}/content/application~1json/schema`
    let validate = validators.get(id)
    if (validate === undefined) {
      validate = ajv.compile({ $ref: encodeURI(id) })
      validators.set(id, validate)
    }
    if (!validate(JSON.parse(text))) t.fail(`${where}: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 1000)}`)
  }
}

/** Headers that say something about a route. Those of all answers are in no document. */
const TOLD: ReadonlySet<string> = new Set([
  'etag',
  'idempotency-replayed',
  'location',
  'preference-applied',
  'x-preference-fallback',
  'x-rows-affected',
  'x-stream-batch-size',
  'retry-after',
])

function escapePointer(path: string): string {
  return path.replaceAll('~', '~0').replaceAll('/', '~1')
}
