import type { AnswerContent, AnswerDescription, RouteDescription } from '../../rest/api.ts'
import type { Components } from './components.ts'
import { headerObjects } from './error-responses.ts'
import { compact, type Json } from './json.ts'
import { objectSchema, type TypeSchemas } from './type-schemas.ts'

/**
 * Returns the `responses` of a route for successful requests, by status, in OpenAPI form.
 * @param components receives the schemas that the responses refer to
 */
export function answerResponses(
  { route, answers }: RouteDescription,
  types: TypeSchemas,
  components: Components,
): Json {
  return Object.fromEntries(answers.map((answer) => [String(answer.status), response(answer)]))

  function response({ contents, headers, when }: AnswerDescription): Json {
    const media = contents.map(({ type, content }) => [type, { schema: contentSchema(content) }] as const)
    return compact({
      description: `${when}.`,
      headers: headers.length === 0 ? undefined : headerObjects(headers),
      content: media.length === 0 ? undefined : Object.fromEntries(media),
    })
  }

  function contentSchema(content: AnswerContent): Json {
    const { operation } = route
    const row = types.named(operation.named, 'out')
    const rows: Json = { type: 'array', items: row }
    switch (content) {
      case 'row':
        return enveloped(row)
      case 'rows':
        return enveloped(rows)
      case 'either':
        return enveloped({ oneOf: [row, rows] })
      case 'value':
        return enveloped(types.of(operation.type, operation.named, 'out'))
      case 'page':
        return enveloped(rows, pageMeta(components), pageLinks(components))
      case 'cursor-page':
        return enveloped(rows, cursorMeta(components), cursorLinks(components))
      case 'lines':
        return {
          type: 'string',
          description: 'A row as JSON in each line; where reading fails, the last line is an error.',
        }
      case 'events':
        return { type: 'string', description: 'Server-sent events.' }
    }
  }
}

function enveloped(data: Json, meta?: Json, links?: Json): Json {
  const members = [
    ['data', data],
    ...(meta === undefined ? [] : [['meta', meta]]),
    ...(links === undefined ? [] : [['links', links]]),
  ] as const
  const names = members.map(([name]) => name as string)
  return objectSchema(undefined, members as readonly (readonly [string, Json])[], names, true)
}

const COUNT: Json = { type: 'integer', minimum: 0 }
const TOTAL: readonly [string, Json] = ['total', { ...COUNT, description: 'Of all rows, with `Prefer: count=exact`.' }]
const LINK: Json = { type: 'string' }
const LINK_OR_NONE: Json = { ...LINK, nullable: true, description: 'Null: there is none.' }

function pageMeta(components: Components): Json {
  return components.schema('page-meta', 'PageMeta', () =>
    objectSchema(
      undefined,
      [['limit', { ...COUNT, nullable: true }], ['offset', COUNT], TOTAL],
      ['limit', 'offset'],
      true,
    ),
  )
}

function pageLinks(components: Components): Json {
  const links = [
    ['self', LINK],
    ['next', LINK_OR_NONE],
    ['prev', LINK_OR_NONE],
    ['first', LINK],
    ['last', { ...LINK, description: 'With `Prefer: count=exact`.' }],
  ] as const
  return components.schema('page-links', 'PageLinks', () =>
    objectSchema('Paths, with all other parameters kept.', links, ['self', 'next', 'prev', 'first'], true),
  )
}

function cursorMeta(components: Components): Json {
  const flags = ['hasNextPage', 'hasPreviousPage']
  return components.schema('cursor-meta', 'CursorMeta', () =>
    objectSchema(undefined, [...flags.map((name) => [name, { type: 'boolean' }] as const), TOTAL], flags, true),
  )
}

function cursorLinks(components: Components): Json {
  return components.schema('cursor-links', 'CursorLinks', () =>
    objectSchema(
      'Paths, with all other parameters kept.',
      [
        ['self', LINK],
        ['next', LINK_OR_NONE],
      ],
      ['self', 'next'],
      true,
    ),
  )
}
