import * as svc from 'svc/authoring'
import { field, list, nullable, query, type } from 'svc/authoring'

@type({ description: 'Values of every built-in scalar' })
export class Scalars {
  @field(svc.ID) id!: string
  @field(svc.String) text!: string
  @field(svc.Int) whole!: number
  @field(svc.Float) number!: number
  @field(svc.Boolean) flag!: boolean
  @field(svc.BigInt) big!: string
  @field(svc.DateTime) created_at!: string
  @field(svc.Date) born_on!: string
  @field(svc.Time) opens_at!: string
  @field(svc.UUID) key!: string
  @field(svc.Decimal) price!: string
  @field(svc.JSON) settings!: unknown
  @field(svc.Email) email!: string
  @field(nullable(svc.URL)) homepage!: string | null
  @field(svc.Latitude) latitude!: number
}

@type({ sqlSource: 'v_author' })
export class Author {
  @field(svc.ID) id!: string
  @field(nullable(svc.String), { description: 'As printed on the cover' }) pen_name!: string | null
  @field(list(svc.String)) tags!: string[]
  @field(nullable(list(svc.Int))) scores!: number[] | null
  @field(list(nullable(svc.Float))) samples!: (number | null)[]
  @field(nullable(list(nullable(svc.DateTime)))) visits!: (string | null)[] | null
  @field(list(list(svc.Int))) grid!: number[][]
  @field(() => list(Book)) books!: Book[]
  @field(() => nullable(Book)) favourite!: Book | null
  @field(() => nullable(Author)) mentor!: Author | null
}

@type({ sqlSource: 'v_book', description: 'A book.\n\nIt has one author.' })
export class Book {
  @field(svc.ID) id!: string
  @field(svc.String, { description: 'The title,\nin the language of the cover' }) title!: string
  @field(Author) author!: Author
  @field(svc.String, { column: 'class' }) class!: string
}

export class Queries {
  @query(() => list(Author), {
    description: 'Authors by name: "a\\b" \u2014 caf\u00e9 \u{1F600}',
    args: { pen_name: nullable(svc.String) },
  })
  authors!: unknown

  @query(() => nullable(Author), { args: { id: svc.ID } }) author!: unknown
  @query(() => list(Scalars), { args: { from: svc.Date }, sqlSource: 'v_scalars' }) scalars!: unknown
}
