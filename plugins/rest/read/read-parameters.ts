import type { ArgumentModel, queryStrings } from '../../../core/doors/front.ts'
import type { ObjectType, QueryModel, SvcError } from '../../../core/doors/plugin.ts'
import { FilterSum } from '../request/combine.ts'
import { type FieldOperator, operatorOfField } from '../request/field-filter.ts'
import { fieldsOf } from '../request/fields-of-type.ts'
import { type Filter, readJsonFilter } from '../request/json-filter.ts'
import { type GroupNode, type Joint, parseGroup } from '../request/parse-group.ts'
import { PageReader } from '../request/read-page.ts'
import type { EmbeddedParameter, ReadRequest } from '../request/read-request.ts'
import { badRequest, unknownParameter } from '../request/refusals.ts'
import type { RequestLimits } from '../request/request-limits.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { isReserved, PAGING, type Reserved, takesOf } from './collection-takes.ts'
import { readArgument, requireArguments } from './read-arguments.ts'

/** Meaning of a parameter in the query string of a route. */
type Meaning =
  | { readonly kind: 'argument'; readonly argument: ArgumentModel }
  | { readonly kind: 'condition'; readonly field: string; readonly operator: FieldOperator; readonly bracket: boolean }
  | { readonly kind: 'reserved'; readonly name: Reserved }
  | { readonly kind: 'page'; readonly name: string }
  | { readonly kind: 'embedded'; readonly parameter: Omit<EmbeddedParameter, 'value'> }

/** Maximum number of cached parameter names per route. */
const MOST_MEANINGS = 500

/** Reads the query strings of a REST route that returns rows: `select`, filters, sort keys, paging, and arguments. */
export class ParameterReader {
  readonly #route: RestRoute
  readonly #query: QueryModel
  readonly #type: ObjectType
  readonly #options: RequestLimits
  readonly #page: PageReader | null
  readonly #isList: boolean
  readonly #meanings = new Map<string, Meaning>()

  /** @param maxRows `svc.max_rows`; 0 = no bound */
  constructor(route: RestRoute, query: QueryModel, type: ObjectType, options: RequestLimits, maxRows: number) {
    this.#route = route
    this.#query = query
    this.#type = type
    this.#options = options
    this.#isList = route.kind === 'collection'
    this.#page = this.#isList ? new PageReader(query, options, maxRows) : null
  }

  /**
   * @param fromPath arguments of the path
   * @throws SvcError BAD_REQUEST, UNKNOWN_PARAMETER, UNKNOWN_OPERATOR, INVALID_JSON, VALIDATION_ERROR, BAD_USER_INPUT
   */
  read(
    pairs: readonly queryStrings.QueryPair[],
    fromPath: Readonly<Record<string, unknown>>,
    streamed = false,
  ): ReadRequest {
    const filters = new FilterSum()
    const args: Record<string, unknown> = { ...fromPath }
    const embedded: EmbeddedParameter[] = []
    const texts: Partial<Record<Reserved, string>> = {}
    let paging: Record<string, string> | null = null
    let kept = ''
    let plain: Set<string> | null = null
    for (const { name, value, raw } of pairs) {
      const meaning = this.#meaningOf(name)
      if (meaning.kind === 'page') {
        paging ??= {}
        if (paging[name] !== undefined) throw repeatedParameter(name)
        paging[name] = value
        continue
      }
      kept += kept === '' ? raw : `&${raw}`
      if (meaning.kind === 'condition') {
        const { field, operator, bracket } = meaning
        if (!bracket) {
          plain ??= new Set()
          if (plain.has(field)) throw repeatedParameter(name)
          plain.add(field)
        }
        filters.condition(field, operator.name, operator.readText(value, name))
      } else if (meaning.kind === 'argument') {
        const { argument } = meaning
        if (Object.hasOwn(args, argument.wireName)) throw repeatedParameter(name)
        args[argument.wireName] = readArgument(argument, value)
      } else if (meaning.kind === 'embedded') embedded.push({ ...meaning.parameter, value })
      else if (meaning.name === 'and' || meaning.name === 'or' || meaning.name === 'not') {
        filters.filter(readGroup(meaning.name, value, this.#type))
      } else if (meaning.name === 'filter') {
        if (texts.filter !== undefined) throw repeatedParameter(name)
        texts.filter = value
        const filter = readJsonFilter(value, this.#type, this.#options.max_filter_bytes)
        if (filter !== null) filters.filter(filter)
      } else if (texts[meaning.name] !== undefined) throw repeatedParameter(name)
      else texts[meaning.name] = value
    }
    requireArguments(this.#route, args)
    if (texts.search !== undefined && texts.search.trim() === '')
      throw badRequest('search: there is nothing to look for.')
    return {
      select: texts.select ?? null,
      sort: texts.sort ?? null,
      search: texts.search ?? null,
      page: this.#page === null ? null : streamed ? this.#page.readWhole(paging) : this.#page.read(paging),
      where: filters.sum(),
      args,
      embedded,
      kept,
    }
  }

  #meaningOf(name: string): Meaning {
    let meaning = this.#meanings.get(name)
    if (meaning === undefined) {
      meaning = this.#findMeaning(name)
      if (this.#meanings.size >= MOST_MEANINGS) this.#meanings.clear()
      this.#meanings.set(name, meaning)
    }
    return meaning
  }

  #findMeaning(name: string): Meaning {
    const argument = this.#route.otherArguments.find((one) => one.wireName === name || one.name === name)
    if (argument !== undefined) return { kind: 'argument', argument }
    if (name === 'select') return { kind: 'reserved', name }
    const bracket = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name)
    const target = bracket === null ? name : bracket[1]!
    const operator = bracket === null ? 'eq' : bracket[2]!
    if (target.includes('.'))
      return { kind: 'embedded', parameter: embeddedParameter(name, target, bracket === null ? null : operator) }
    if (!this.#isList) throw unknownParameter(name, this.#available())
    if (PAGING.has(name)) {
      this.#page?.check(name)
      return { kind: 'page', name }
    }
    const { sort, filter, search } = takesOf(this.#query, this.#type)
    if (isReserved(name)) {
      if (name === 'sort' ? !sort : name === 'search' ? !search : !filter) throw this.#refuse(name)
      return { kind: 'reserved', name }
    }
    const field = filter ? fieldsOf(this.#type).byName.get(target) : undefined
    if (field === undefined || !fieldsOf(this.#type).filterable.includes(field.wireName)) {
      throw unknownParameter(target, this.#available())
    }
    return {
      kind: 'condition',
      field: field.wireName,
      operator: operatorOfField(field, operator),
      bracket: bracket !== null,
    }
  }

  /** Creates the error for a reserved parameter that this list does not accept. */
  #refuse(name: string): SvcError {
    if (name === 'search') return badRequest(`search: no field of ${this.#type.name} is searchable.`)
    return unknownParameter(name, this.#available())
  }

  #available(): readonly string[] {
    const args = this.#route.otherArguments.map(({ wireName }) => wireName)
    if (!this.#isList) return [...args, 'select']
    const { sort, filter } = takesOf(this.#query, this.#type)
    const fields = filter ? fieldsOf(this.#type).filterable.filter((name) => !args.includes(name)) : []
    return [
      ...fields,
      ...args,
      ...(this.#page?.names ?? []),
      ...(sort ? ['sort'] : []),
      'select',
      ...(filter ? ['filter'] : []),
    ]
  }
}

function repeatedParameter(name: string): SvcError {
  return badRequest(`The parameter "${name}" is given twice.`, { parameter: name })
}

function embeddedParameter(name: string, target: string, operator: string | null): Omit<EmbeddedParameter, 'value'> {
  const path = target.split('.')
  const last = path.pop()!
  if (operator === null && (last === 'sort' || last === 'limit' || last === 'offset')) {
    return { name, path, what: last, field: '', operator: '' }
  }
  return { name, path, what: 'condition', field: last, operator: operator ?? 'eq' }
}

/**
 * Converts `or=(…)`, `and=(…)` or `not=(…)` to a filter of the engine. `not` with several members negates their conjunction.
 * @throws SvcError BAD_REQUEST, UNKNOWN_PARAMETER, UNKNOWN_OPERATOR, VALIDATION_ERROR
 */
function readGroup(joint: Joint, text: string, type: ObjectType): Filter {
  return toFilter(parseGroup(joint, text), type, false)
}

/**
 * Moves negations down to the conditions (De Morgan, valid for nulls too), so that a group adds only one level to the filter.
 * @param negated `true`: negate the node
 */
function toFilter(node: GroupNode, type: ObjectType, negated: boolean): Filter {
  if (node.kind === 'group') {
    const isNegated = node.joint === 'not' ? !negated : negated
    const items = node.items.map((item) => toFilter(item, type, isNegated))
    if (items.length === 1 && node.joint === 'not') return items[0]!
    const joint = node.joint === 'or' ? 'or' : 'and'
    return { [isNegated === (joint === 'and') ? '_or' : '_and']: items }
  }
  const condition = toCondition(node, type)
  return negated ? { _not: condition } : condition
}

function toCondition(node: Extract<GroupNode, { kind: 'condition' }>, type: ObjectType): Filter {
  const bracket = /^([^[\]]+)\[([^[\]]+)\]$/.exec(node.name)
  const { byName, filterable } = fieldsOf(type)
  const field = byName.get(bracket?.[1] ?? node.name)
  if (field === undefined || !filterable.includes(field.wireName))
    throw unknownParameter(node.name, filterable, `field of ${type.name} to filter by`)
  const operator = operatorOfField(field, bracket?.[2] ?? 'eq')
  return { [field.wireName]: { [operator.name]: operator.readText(node.value, node.name) } }
}
