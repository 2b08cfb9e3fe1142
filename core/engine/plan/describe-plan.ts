import type { Condition, ExistsCondition, Tie } from '../../contract/plan/condition.ts'
import type {
  Aggregate,
  Connection,
  Counted,
  CountOf,
  KeyPart,
  OrderTerm,
  ReadPlan,
  RootValue,
  Rows,
  Shape,
} from '../../contract/plan/read-plan.ts'
import type { RowRef, StoredValue } from '../../contract/plan/stored-value.ts'
import type { CompiledSource } from '../../schema/compiled.ts'
import { authoredText, count, filterText, havingText, operand, page } from './plan-text.ts'

/**
 * Prints a plan as text, one node per line, for `explain` and tests. Each node that reads rows has a number, in order
 * of appearance. `?` stands for a value that each request supplies.
 */
export function describePlan({ roots }: ReadPlan): string {
  const printer = new Printer()
  for (const { key, value } of roots) printer.root(key, value)
  return printer.lines.join('\n')
}

/** Returns the views and tables that a plan reads, each once, in order of appearance in the plan. */
export function sourcesOf({ roots }: Pick<ReadPlan, 'roots'>): readonly CompiledSource[] {
  const printer = new Printer()
  for (const { key, value } of roots) printer.root(key, value)
  return [...printer.sources]
}

class Printer {
  readonly lines: string[] = []
  readonly sources = new Set<CompiledSource>()
  readonly #numbers = new Map<RowRef, number>()
  #depth = 0

  root(key: string, value: RootValue): void {
    switch (value.kind) {
      case 'constant':
        this.#line(`${key}: constant ${value.json}`)
        break
      case 'single':
      case 'list':
      case 'byKeys':
        this.#rows(`${key}: ${value.kind}`, value.rows)
        break
      case 'perKey':
        this.#rows(
          `${key}: ${value.many ? 'listPerKey' : 'perKey'} ${value.parts.map((part) => this.#keyPart(part)).join(', ')}`,
          value.rows,
        )
        break
      case 'aggregate':
        this.#aggregate(key, value)
        break
      case 'firstOf':
        this.#line(`${key}: firstOf`)
        this.#below(() => {
          for (const rows of value.candidates) this.#rows('candidate', rows)
        })
        break
      case 'counted':
        this.#line(`${key}: counted`)
        this.#below(() => this.#counted(value))
        break
      case 'connection':
        this.#line(`${key}: connection ${this.#restriction(value.from)}`)
        this.#below(() => this.#connection(value))
    }
  }

  #aggregate(key: string, { from, tie, page: shown, columns, having, order }: Aggregate): void {
    const tied = tie === null ? '' : ` tied ${this.#tie(tie)}`
    this.#line(`${key}: aggregate ${this.#restriction(from)}${tied}${page(shown)}`)
    this.#below(() => this.#measures(columns, having, order))
  }

  #measures(columns: Aggregate['columns'], having: Aggregate['having'], order: Aggregate['order']): void {
    const names = columns.map((column) => {
      if (column.kind === 'rows') return 'count of rows'
      const value = this.#value(column.target.value)
      if (column.kind === 'measure') return `${column.function} of ${value}`
      return column.period === null ? `by ${value}` : `by ${column.period} of ${value}`
    })
    for (const name of names) this.#line(name)
    for (const condition of having) this.#line(`having ${havingText(condition, names)}`)
    for (const { column, direction } of order) this.#line(`order ${names[column]} ${direction}`)
  }

  #counted({ members }: Counted): void {
    for (const member of members) {
      if (member.kind === 'items') this.#rows(`${member.key}: items`, member.rows)
      else if (member.kind === 'total') this.#line(`${member.key}: count ${this.#restriction(member.of)}`)
      else this.#line(`${member.key}: ${JSON.stringify(member.name)}`)
    }
  }

  #connection({ keyset, members }: Connection): void {
    const bounds = `${keyset.after === null ? '' : ' after ?'}${keyset.before === null ? '' : ' before ?'}`
    const way = keyset.forward ? 'forward' : 'backward'
    const keys =
      keyset.by === 'key'
        ? this.#value(keyset.key)
        : [
            ...keyset.terms.map(({ target, direction }) => `${this.#value(target.value)} ${direction}`),
            ...(keyset.digest === null ? [] : [`digest of ${keyset.digest.map((one) => this.#value(one)).join(', ')}`]),
          ].join(', ')
    this.#line(`keyset ${keys} ${way}${bounds} size ${count(keyset.size)}`)
    for (const member of members) {
      this.#line(`${member.key}: ${member.kind}`)
      if (member.kind !== 'edges') continue
      for (const edge of member.members) {
        if (edge.kind === 'node') this.#below(() => this.#shape(`${edge.key}: node`, edge.object))
      }
    }
  }

  #rows(label: string, rows: Rows): void {
    const order = rows.order.map((term) => this.#term(term)).join(', ')
    const tie = rows.tie === null ? '' : ` tied ${this.#tie(rows.tie)}`
    const parts = `${order === '' ? '' : ` order ${order}`}${page(rows.page)}`
    this.#shape(`${label} ${this.#restriction(rows)}${tie}${parts}`, rows.object)
  }

  #restriction({ row, rules, where = [], filter = null }: Partial<CountOf> & Pick<CountOf, 'row' | 'rules'>): string {
    this.sources.add(row.source)
    const { schema, name } = row.source
    const all = (label: string, conditions: readonly Condition[]): string =>
      conditions.length === 0 ? '' : ` ${label} ${conditions.map((each) => this.#condition(each)).join(' and ')}`
    const laid = row.laid.map((filter) => ` laid ${filterText(filter)}`).join('')
    const source = `${schema === undefined ? '' : `${schema}.`}${name} ${this.#row(row)}${laid}`
    return `${source}${all('rules', rules)}${all('where', where)}${all('filter', filter === null ? [] : [filter])}`
  }

  #shape(label: string, shape: Shape): void {
    this.#line(label)
    this.#below(() => {
      if (shape.kind === 'abstract') {
        this.#line(`by ${this.#value(shape.typeColumn)}`)
        for (const { typeName, object } of shape.possible) this.#shape(typeName, object)
        return
      }
      for (const { key, value } of shape.members) {
        switch (value.kind) {
          case 'typename':
            this.#line(`${key}: ${JSON.stringify(value.name)}`)
            break
          case 'guarded':
            this.#line(`${key}: ${this.#value(value.value.value)} where ${this.#condition(value.when)}`)
            break
          case 'denied':
            this.#line(`${key}: denied`)
            break
          case 'nothing':
            this.#line(`${key}: nothing`)
            break
          case 'leaf':
            this.#line(`${key}: ${this.#value(value.value)}${value.masked === true ? ' masked' : ''}`)
            break
          case 'toOne':
          case 'toMany':
            this.#rows(`${key}: ${value.kind}`, value.rows)
            break
          case 'aggregate':
            this.#aggregate(key, value.of)
            break
          case 'embedded':
            this.#shape(`${key}: embedded ${this.#value(value.value)} ${this.#row(value.row)}`, value.object)
        }
      }
    })
  }

  #keyPart({ target, through }: KeyPart): string {
    return `${through.map((over) => `${this.#over(over)} `).join('')}${this.#value(target.value)}`
  }

  #over(over: ExistsCondition['over']): string {
    if (over.kind === 'embedded') return `${this.#value(over.value)} ${this.#row(over.row)}`
    return `${this.#restriction(over)} tied ${this.#tie(over.tie)}`
  }

  #condition(condition: Condition): string {
    switch (condition.kind) {
      case 'all':
        return condition.conditions.map((each) => this.#condition(each)).join(' and ')
      case 'group':
        return `(${condition.conditions.map((each) => this.#condition(each)).join(` ${condition.joint} `)})`
      case 'not':
        return `not (${this.#condition(condition.condition)})`
      case 'constant':
        return String(condition.holds)
      case 'compare':
        return `${this.#value(condition.target.value)} ${condition.operator} ${operand(condition.operand)}`
      case 'quantifiers':
        return condition.conditions.map((each) => this.#condition(each)).join(' and ')
      case 'exists': {
        const { over, quantifier } = condition
        const inner = condition.condition === null ? 'any' : this.#condition(condition.condition)
        return `${quantifier} ${this.#over(over)} (${inner})`
      }
      case 'authored':
        return authoredText(condition.parts)
    }
  }

  #term(term: OrderTerm): string {
    const targets = term.kind === 'relevance' ? term.targets : [term.target]
    const values = targets.map(({ value }) => this.#value(value)).join(', ')
    if (term.kind === 'by') return `${values} ${term.direction}`
    return `${term.kind} of ${values} ${term.kind === 'position' ? 'in' : 'for'} ?`
  }

  #tie({ inner, outer, by, also = [], through }: Tie): string {
    if (by !== undefined) return `${this.#value(outer)} ${by} ${this.#value(inner)}`
    const own = [`${this.#value(inner)} = ${this.#value(outer)}`, ...also.map((pair) => this.#tie(pair))].join(' and ')
    if (through === undefined) return own
    const pairs = through.pairs.map((pair) => this.#tie(pair)).join(' and ')
    return `${pairs} through ${this.#restriction(through)} tied ${own}`
  }

  #value(value: StoredValue): string {
    return value.from === 'column'
      ? `${this.#row(value.row)}.${value.name}`
      : `${this.#row(value.row)}->${JSON.stringify(value.key)}`
  }

  #row(row: RowRef): string {
    let number = this.#numbers.get(row)
    if (number === undefined) {
      number = this.#numbers.size + 1
      this.#numbers.set(row, number)
    }
    return `#${number}`
  }

  #line(text: string): void {
    this.lines.push(`${'  '.repeat(this.#depth)}${text}`)
  }

  #below(print: () => void): void {
    this.#depth++
    print()
    this.#depth--
  }
}
