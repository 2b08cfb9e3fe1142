import type { ObjectType, QueryModel } from '../../../core/doors/plugin.ts'
import { RESERVED, takesOf } from '../read/collection-takes.ts'
import { bracketOperators } from '../request/field-filter.ts'
import { fieldsOf } from '../request/fields-of-type.ts'
import { PageReader } from '../request/read-page.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import type { DescribedOptions } from './described-options.ts'
import type { ParameterDescription } from './route-description.ts'

type Parameters = readonly ParameterDescription[]

/** A list query, and whether its parameters include those of pages. */
interface ListParameters {
  readonly query: QueryModel
  readonly type: ObjectType
  readonly pages: boolean
}

export function pathParameters({ pathArguments }: RestRoute): Parameters {
  return pathArguments.map((argument) => ({ kind: 'argument', in: 'path', argument, required: true }))
}

/**
 * Describes the query parameters for the arguments of a REST route that are not in its path.
 * @param optional `true` if the request body can contain them instead
 */
export function queryArguments({ otherArguments }: Pick<RestRoute, 'otherArguments'>, optional = false): Parameters {
  return otherArguments.map((argument) => ({
    kind: 'argument',
    in: 'query',
    argument,
    required: !optional && !argument.type.nullable && argument.default === undefined,
  }))
}

/**
 * Describes the paging parameters of a REST list route, such as `limit` and `offset`.
 * @param maxRows maximum number of rows in a list (`svc.max_rows`)
 */
export function pageParameters(query: QueryModel, options: DescribedOptions, maxRows: number): Parameters {
  const pages = new PageReader(query, options, maxRows)
  return pages.names.map((name): ParameterDescription => {
    if (name === 'after' || name === 'before') return { kind: 'cursor', name }
    const isSize = name !== 'offset'
    const byDefault = name === 'offset' ? 0 : name === 'last' ? null : pages.byDefault
    return { kind: 'count', name, byDefault, most: isSize ? pages.most : null }
  })
}

/**
 * Describes the query parameters that filter, sort and page a REST list.
 * @param taken names of arguments, which replace filter parameters of the same name
 * @param maxRows maximum number of rows in a list (`svc.max_rows`)
 */
export function listParameters(
  { query, type, pages }: ListParameters,
  taken: ReadonlySet<string>,
  options: DescribedOptions,
  maxRows: number,
): Parameters {
  const { filter, sort, search } = takesOf(query, type)
  const { filterable, sortable, byName } = fieldsOf(type)
  const fields = filter ? filterable.filter((name) => !taken.has(name) && !RESERVED.has(name)) : []
  const bracketed = fields.map((name): ParameterDescription => {
    const field = byName.get(name)!
    return { kind: 'field', name, field, operators: bracketOperators(field) }
  })
  const groups: Parameters =
    filter && filterable.length > 0
      ? [
          { kind: 'filter', type, mostBytes: options.max_filter_bytes },
          ...(['or', 'and', 'not'] as const).map((name) => ({ kind: 'group', name, fields: filterable }) as const),
        ]
      : []
  const paging: Parameters = pages
    ? [
        ...pageParameters(query, options, maxRows),
        ...(sort && sortable.length > 0 ? [{ kind: 'sort', name: 'sort', keys: sortable } as const] : []),
        ...(search ? [{ kind: 'search', fields: searchNames(type) } as const] : []),
      ]
    : []
  return [...bracketed, ...groups, ...paging].filter((one) => !('name' in one) || !taken.has(one.name))
}

function searchNames({ fields }: ObjectType): readonly string[] {
  return [...fields.values()].filter(({ searchable }) => searchable).map(({ wireName }) => wireName)
}

/**
 * Describes the query parameter `select`, and the parameters of embedded lists such as `posts.limit`.
 * @param embeds `true` if rows can contain related rows
 */
export function selectParameters(type: ObjectType, options: DescribedOptions, embeds: boolean): Parameters {
  const lists = embeds && options.max_embedding_depth > 0 ? [...type.fields.values()] : []
  return [
    { kind: 'select', type },
    ...lists.flatMap(({ wireName, named, list, read }): Parameters => {
      if (!list || named.kind !== 'object' || read?.from !== 'relation') return []
      const { filterable, sortable, byName } = fieldsOf(named)
      return [
        ...filterable.map((name): ParameterDescription => {
          const field = byName.get(name)!
          return { kind: 'field', name: `${wireName}.${name}`, field, operators: bracketOperators(field) }
        }),
        ...(sortable.length > 0 ? [{ kind: 'sort', name: `${wireName}.sort`, keys: sortable } as const] : []),
        { kind: 'count', name: `${wireName}.limit`, byDefault: null, most: options.max_page_size },
        { kind: 'count', name: `${wireName}.offset`, byDefault: null, most: null },
      ]
    }),
  ]
}
