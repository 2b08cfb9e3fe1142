import { BRAND, type Named, type Valued } from './brand.ts'

export const builtin = <Value>(name: string): Named<'scalar'> & Valued<Value> =>
  Object.freeze({ name, [BRAND]: Object.freeze({ kind: 'scalar' as const, name, builtin: true }) })

// Some have the name of a global on purpose, so that `@field(String)` reads like the schema.
const IdScalar = builtin<string>('ID')
const StringScalar = builtin<string>('String')
const IntScalar = builtin<number>('Int')
const FloatScalar = builtin<number>('Float')
const BooleanScalar = builtin<boolean>('Boolean')
const BigIntScalar = builtin<string | number | bigint>('BigInt')
const DateTimeScalar = builtin<string | globalThis.Date>('DateTime')
const DateScalar = builtin<string | globalThis.Date>('Date')
const TimeScalar = builtin<string>('Time')
const DecimalScalar = builtin<string | number>('Decimal')
const JsonScalar = builtin<unknown>('JSON')
const UuidScalar = builtin<string>('UUID')

export {
  BigIntScalar as BigInt,
  BooleanScalar as Boolean,
  DateScalar as Date,
  DateTimeScalar as DateTime,
  DecimalScalar as Decimal,
  FloatScalar as Float,
  IdScalar as ID,
  IntScalar as Int,
  JsonScalar as JSON,
  StringScalar as String,
  TimeScalar as Time,
  UuidScalar as UUID,
}
