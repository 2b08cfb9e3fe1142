import { BRAND, type Named } from './brand.ts'

const builtin = (name: string): Named<'scalar'> =>
  Object.freeze({ name, [BRAND]: Object.freeze({ kind: 'scalar' as const, name, builtin: true }) })

// Some carry the name of a global on purpose: `@field(String)` reads as the schema does.
const IdScalar = builtin('ID')
const StringScalar = builtin('String')
const IntScalar = builtin('Int')
const FloatScalar = builtin('Float')
const BooleanScalar = builtin('Boolean')
const BigIntScalar = builtin('BigInt')
const DateTimeScalar = builtin('DateTime')
const DateScalar = builtin('Date')
const TimeScalar = builtin('Time')
const DecimalScalar = builtin('Decimal')
const JsonScalar = builtin('JSON')
const UuidScalar = builtin('UUID')
const EmailScalar = builtin('Email')

export {
  BigIntScalar as BigInt,
  BooleanScalar as Boolean,
  DateScalar as Date,
  DateTimeScalar as DateTime,
  DecimalScalar as Decimal,
  EmailScalar as Email,
  FloatScalar as Float,
  IdScalar as ID,
  IntScalar as Int,
  JsonScalar as JSON,
  StringScalar as String,
  TimeScalar as Time,
  UuidScalar as UUID,
}
