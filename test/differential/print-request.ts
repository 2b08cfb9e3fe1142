import { typeRefs } from '../../core/doors/front.ts'
import type { FieldModel, QueryModel } from '../../core/doors/plugin.ts'
import { nameOf } from './generate/filters.ts'
import { jsonText } from './json-text.ts'
import { groupByValue, groupOrderValue, havingValue } from './print-numbers.ts'
import { NULL, type Value } from './print-value.ts'
import type {
  Given,
  Item,
  Json,
  ListArguments,
  Member,
  Numbers,
  OrderTerm,
  QueryRoot,
  Request,
  Root,
  Selection,
  Where,
  WrapperMember,
} from './request.ts'
import { isIncluded, Token } from './request.ts'

/** What is sent. */
export interface Printed {
  readonly document: string
  /** JSON text of an object. */
  readonly variables: string
  /** Variables that are declared and not sent. */
  readonly absent: number
}

/**
 * The document and the variables of a request.
 * @param nulls members whose variable is not sent are given as null
 */
export function printRequest(request: Request, nulls = false): Printed {
  const printer = new Printer(nulls)
  const body = request.roots.map((root) => printer.root(root)).join('\n  ')
  const { declarations, fragments, variables } = printer
  const head = declarations.length === 0 ? '' : `query(${declarations.join(', ')}) `
  const named = fragments.map((text) => `\n${text}`).join('')
  const given = variables.map(([name, text]) => `${JSON.stringify(name)}:${text}`)
  return { document: `${head}{\n  ${body}\n}${named}`, variables: `{${given.join(',')}}`, absent: printer.absent }
}

class Printer {
  readonly declarations: string[] = []
  readonly fragments: string[] = []
  readonly variables: [string, string][] = []
  absent = 0
  readonly #nulls: boolean

  constructor(nulls: boolean) {
    this.#nulls = nulls
  }

  root(root: Root): string {
    if (root.kind === 'typename') return alias(root.key, '__typename')
    if (root.kind === 'node') {
      const id = this.#argument(
        'id',
        this.#given(root.id, 'ID!', (value) => ({ kind: 'json', json: value })),
      )
      return `${alias(root.key, 'node')}(${id}) { ... on ${root.type.name} ${this.#selection(root.of)} }`
    }
    if (root.kind === 'numbers') return this.#numbers(root.key, root.query, root.numbers, this.#equals(root))
    const { query, wrapper } = root
    const args = [...this.#equals(root), ...this.#listArguments(root.args, query)]
    const head = `${alias(root.key, query.wireName)}${args.length === 0 ? '' : `(${args.join(', ')})`}`
    if (wrapper === null) return `${head} ${this.#selection(root.of)}`
    return `${head} { ${wrapper.map((member) => this.#wrapperMember(member, root.of)).join(' ')} }`
  }

  #equals({ query, equals }: Pick<QueryRoot, 'query' | 'equals'>): string[] {
    return equals.map(({ name, given }) => {
      const argument = query.arguments.get(name)!
      const isEnum = argument.named.kind === 'enum'
      return this.#argument(
        name,
        this.#given(given, typeRefs.print(argument.type), (value) => leafValue(value, isEnum)),
      )
    })
  }

  #numbers(key: string, of: QueryModel | FieldModel, numbers: Numbers, own: readonly string[]): string {
    const { type, groupBy, having, orderBy, where, limit, offset, members } = numbers
    const args = [...own, ...this.#listArguments({ where, limit, offset } as ListArguments, of)]
    const add = <T>(name: string, given: Given<T> | undefined | null, input: string, toValue: (value: T) => Value) => {
      if (given != null) args.push(this.#argument(name, this.#given(given, input, toValue)))
    }
    add('groupBy', groupBy, `[${type.name}GroupBy!]!`, groupByValue)
    add('having', having, `${type.name}HavingInput`, havingValue)
    add('orderBy', orderBy, `[${type.name}GroupOrderByInput!]`, groupOrderValue)
    const shown = members.map((member) => {
      const inner =
        'fields' in member ? ` { ${member.fields.map((one) => alias(one.key, one.field.wireName)).join(' ')} }` : ''
      return `${alias(member.key, member.name)}${inner}`
    })
    const name = `${of.wireName}${groupBy === null ? 'Aggregate' : 'Groups'}`
    return `${alias(key, name)}${args.length === 0 ? '' : `(${args.join(', ')})`} { ${shown.join(' ')} }`
  }

  #wrapperMember(member: WrapperMember, of: Selection): string {
    const name = alias(member.key, member.name)
    if (member.name === 'items') return `${name} ${this.#selection(of)}`
    if (member.name === 'edges' || member.name === 'pageInfo') {
      const members = member.members.map(
        (inner) => `${alias(inner.key, inner.name)}${inner.name === 'node' ? ` ${this.#selection(of)}` : ''}`,
      )
      return `${name} { ${members.join(' ')} }`
    }
    return name
  }

  #selection({ type, parts }: Selection): string {
    const texts = parts.map(({ form, on, items }) => {
      const inner = items.map((item) => this.#item(item)).join(' ')
      if (form === 'plain') return inner
      const target = on?.name ?? type.name
      if (form === 'inline') return `... on ${target} { ${inner} }`
      const name = `F${this.fragments.length}`
      // Its place is kept: fragments in it get later numbers.
      this.fragments.push(`fragment ${name} on ${target} { ${inner} }`)
      return `...${name}`
    })
    return `{ ${texts.join(' ')} }`
  }

  #item(item: Item): string {
    const { absent } = this
    const text = this.#itemText(item)
    // What is not included is not planned.
    if (!isIncluded(item)) this.absent = absent
    return text
  }

  #itemText({ key, field, numbers, args, of, directive }: Item): string {
    if (numbers !== undefined && field !== null) return this.#numbers(key, field, numbers, [])
    const name = alias(key, field?.wireName ?? '__typename')
    const list = field === null ? [] : this.#listArguments(args, field)
    const shown =
      directive === null
        ? ''
        : ` @${directive.name}(if: ${this.#print(this.#given(directive.if, 'Boolean!', (value) => ({ kind: 'json', json: value })))})`
    return `${name}${list.length === 0 ? '' : `(${list.join(', ')})`}${shown}${of === null ? '' : ` ${this.#selection(of)}`}`
  }

  #listArguments(args: ListArguments, of: QueryModel | FieldModel): string[] {
    const { where, orderBy } = args
    const type = of.named.name
    const texts: string[] = []
    if (where !== undefined) {
      const value = this.#given(where, `${type}WhereInput`, (filter) => (filter === null ? NULL : whereValue(filter)))
      texts.push(this.#argument('where', value))
    }
    if (orderBy !== undefined) {
      texts.push(this.#argument('orderBy', this.#given(orderBy, `[${type}OrderByInput!]`, orderValue)))
    }
    const plain = (json: Json): Value => ({ kind: 'json', json })
    for (const name of ['limit', 'offset', 'first', 'last'] as const) {
      const given = args[name]
      if (given !== undefined) texts.push(this.#argument(name, this.#given(given, 'Int', plain)))
    }
    for (const name of ['after', 'before'] as const) {
      const given = args[name]
      if (given !== undefined) texts.push(this.#argument(name, this.#given(given, 'String', plain)))
    }
    return texts
  }

  #argument(name: string, value: Value | string): string {
    return `${name}: ${this.#print(value)}`
  }

  /** @returns the name of the variable where the document has one with a default */
  #given<T>({ value, as }: Given<T>, type: string, toValue: (value: T) => Value): Value | string {
    const shown = this.#nulls ? withNulls(toValue(value)) : toValue(value)
    this.absent += absentIn(shown)
    if (as === 'literal') return shown
    if (as === 'variable' || !canBeLiteral(shown)) return { kind: 'variable', type, value: shown }
    const name = `$v${this.declarations.length}`
    const place = this.declarations.push('') - 1
    this.declarations[place] = `${name}: ${type} = ${this.#print(withoutVariables(shown))}`
    return name
  }

  #print(value: Value | string): string {
    if (typeof value === 'string') return value
    switch (value.kind) {
      case 'json':
        return literal(value.json)
      case 'name':
        return value.name
      case 'list':
        return `[${value.items.map((item) => this.#print(item)).join(', ')}]`
      case 'object':
        return `{ ${value.members.map(([key, member]) => `${key}: ${this.#print(member)}`).join(', ')} }`
      case 'variable':
      case 'absent': {
        const name = `v${this.declarations.length}`
        this.declarations.push(`$${name}: ${value.type}`)
        if (value.kind === 'variable') this.variables.push([name, jsonText(toJson(value.value))])
        return `$${name}`
      }
    }
  }
}

function alias(key: string, name: string): string {
  return key === name ? name : `${key}: ${name}`
}

/** JSON as a literal of GraphQL: keys are names, texts as in JSON. */
function literal(json: Json): string {
  if (json instanceof Token) return json.text
  if (Array.isArray(json)) return `[${json.map(literal).join(', ')}]`
  if (typeof json === 'object' && json !== null) {
    return `{ ${Object.entries(json)
      .map(([key, value]) => `${key}: ${literal(value)}`)
      .join(', ')} }`
  }
  return JSON.stringify(json)
}

/** Can JSON be written as a literal? Its keys have to be names. */
function isLiteral(json: Json): boolean {
  if (json instanceof Token || typeof json !== 'object' || json === null) return true
  if (Array.isArray(json)) return json.every(isLiteral)
  return Object.entries(json).every(([key, value]) => /^[A-Za-z_]\w*$/.test(key) && isLiteral(value))
}

function canBeLiteral(value: Value): boolean {
  switch (value.kind) {
    case 'json':
      return isLiteral(value.json)
    case 'name':
    case 'absent':
      return true
    case 'variable':
      return canBeLiteral(value.value)
    case 'list':
      return value.items.every(canBeLiteral)
    case 'object':
      return value.members.every(([, member]) => canBeLiteral(member))
  }
}

/** A scalar, or a list of them. */
function leafValue(json: Json, isEnum: boolean): Value {
  if (!isEnum || json === null) return { kind: 'json', json }
  if (Array.isArray(json)) return { kind: 'list', items: json.map((item) => leafValue(item, true)) }
  return { kind: 'name', name: String(json) }
}

function whereValue(where: Where): Value {
  return { kind: 'object', members: where.members.map((member) => [nameOf(member), memberValue(member)]) }
}

function memberValue(member: Member): Value {
  switch (member.kind) {
    case 'and':
    case 'or':
      return { kind: 'list', items: member.parts.map(whereValue) }
    case 'not':
    case 'one':
      return whereValue(member.part)
    case 'many':
      return {
        kind: 'object',
        members: member.quantifiers.map(({ quantifier, part }) => [quantifier, whereValue(part)]),
      }
    case 'nothing':
      return { kind: 'absent', type: member.input }
    case 'tests': {
      const { field, tests } = member
      const isEnum = field.named.kind === 'enum'
      const members = tests.map(({ operator, operand, as }): readonly [string, Value] => {
        const ofField = operator.operand === 'field' || operator.operand === 'list'
        const value = leafValue(operand, isEnum && ofField)
        const type = {
          field: field.named.name,
          list: `[${field.named.name}!]`,
          boolean: 'Boolean',
          key: 'ID',
          int: 'Int',
          string: 'String',
          strings: '[String!]',
          json: 'JSON',
          place: 'GeoJSON',
          object: operator.input?.name ?? '',
        }[operator.operand]
        // A variable that may be null is refused where the operand may not be: its type says that it is there.
        return [
          operator.name,
          as === 'variable' || !isLiteral(operand) ? { kind: 'variable', type: `${type}!`, value } : value,
        ]
      })
      return { kind: 'object', members }
    }
  }
}

function orderValue(terms: readonly OrderTerm[]): Value {
  const items = terms.map(
    ({ field, direction }): Value => ({
      kind: 'object',
      members: [[field.wireName, { kind: 'name', name: direction }]],
    }),
  )
  return { kind: 'list', items }
}

function withoutVariables(value: Value): Value {
  switch (value.kind) {
    case 'variable':
      return withoutVariables(value.value)
    case 'list':
      return { kind: 'list', items: value.items.map(withoutVariables) }
    case 'object':
      return { kind: 'object', members: present(value.members).map(([key, member]) => [key, withoutVariables(member)]) }
    default:
      return value
  }
}

type Members = readonly (readonly [string, Value])[]

function present(members: Members): Members {
  return members.filter(([, member]) => member.kind !== 'absent')
}

function withNulls(value: Value): Value {
  switch (value.kind) {
    case 'absent':
      return NULL
    case 'list':
      return { kind: 'list', items: value.items.map(withNulls) }
    case 'object':
      return { kind: 'object', members: value.members.map(([key, member]) => [key, withNulls(member)]) }
    default:
      return value
  }
}

function absentIn(value: Value): number {
  const add = (sum: number, each: Value): number => sum + absentIn(each)
  if (value.kind === 'list') return value.items.reduce(add, 0)
  if (value.kind === 'object') return value.members.reduce((sum, [, member]) => add(sum, member), 0)
  return value.kind === 'absent' ? 1 : 0
}

/** As it stands in the variables. */
function toJson(value: Value): Json {
  switch (value.kind) {
    case 'json':
      return value.json
    case 'name':
      return value.name
    case 'variable':
      return toJson(value.value)
    case 'list':
      return value.items.map(toJson)
    case 'object':
      return Object.fromEntries(present(value.members).map(([key, member]) => [key, toJson(member)]))
    case 'absent':
      throw new Error('A variable that is not sent has no JSON')
  }
}
