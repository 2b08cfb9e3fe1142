import {
  Decimal,
  enum_,
  error,
  field,
  ID,
  interface_,
  list,
  nullable,
  query,
  String,
  scalar,
  type,
  union,
} from 'svc/authoring'
import { Cents } from './scalars.ts'

@enum_({ description: 'State of an order' })
export class Status {
  static DRAFT = 'draft'
  static SENT = 'SENT'
  static DONE = { value: 'done', description: 'Delivered', deprecated: 'Use SENT' }
  static LOST = { description: 'Nowhere' }
}

@enum_({ name: 'Colour' })
export class Color {
  static RED = { value: 'red', description: 'Like blood' }
  static BLUE = 'blue'
}

@scalar({
  description: 'An amount',
  specifiedByUrl: 'https://example.org/money',
  baseType: Decimal,
  validationRules: [{ minimum: 0 }, { range: { max: 1000 } }],
  eloExpression: 'value > 0',
})
export class Money {}

@scalar
export class Sku {}

@interface_({ sqlSource: 'v_party', typeColumn: 'kind' })
export class Party {
  @field(ID) id!: string
  @field(String) name!: string
}

@type({ name: 'Firm', sqlSource: 'v_firm', implements: [Party] })
export class Company extends Party {
  @field(Money) capital!: string
  @field(Cents) fee!: number
  @field(Sku) sku!: string
}

@type({ sqlSource: 'v_human', implements: ['Party'] })
export class Human extends Party {
  @field(String, { column: 'full_name' }) label!: string
  @field(Status) status!: string
  @field(nullable(list(Color))) colors!: string[] | null
}

@error
export class Refused {
  @field(String) reason!: string
}

@union({ members: [Company, Human], description: 'All that can be found', sqlSource: 'v_search', typeColumn: 'kind' })
export class SearchResult {}

@union({ members: () => [Company, Refused] })
export class FirmResult {}

export class Queries {
  @query(() => list(SearchResult)) search!: unknown
  @query(() => list(Party), { args: { status: { type: Status, default: 'DONE' } } }) parties!: unknown
}
