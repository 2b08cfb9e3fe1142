import { Int, scalar } from 'svc/authoring'

export const Cents = scalar('Cents', {
  baseType: Int,
  serialize: (value) => Number(value) / 100,
  parse: (value) => Math.round(Number(value) * 100),
  parseLiteral: (literal) => Math.round(Number((literal as { value: string }).value) * 100),
})
