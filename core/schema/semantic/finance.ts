import { isDecimal, parseDecimal } from '../scalar-number.ts'
import { isCusip, isLuhn, isMod97, isSedol } from './check-digits.ts'
import { CURRENCIES, IBAN_LENGTHS } from './code-lists.ts'
import { isObjectOf, number, refuse, type SemanticScalar, text, textOf } from './semantic-scalar.ts'

/** Valid check digits of ISO 7064 MOD 97-10 are 02 to 98. 00, 01 and 99 have the same remainder as 97, 98 and 02. */
const isCheck = (digits: string): boolean => !['00', '01', '99'].includes(digits)

/** Normalises an IBAN. Spaces between groups of four are removed. */
function toIban(value: string): string | null {
  const code = value.replaceAll(' ', '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(code) || IBAN_LENGTHS.get(code.slice(0, 2)) !== code.length) return null
  return isCheck(code.slice(2, 4)) && isMod97(code.slice(4) + code.slice(0, 4)) ? code : null
}

function parseMoney(value: unknown): string {
  let amount: string | null = null
  let currency: string | null = null
  if (isObjectOf(value, ['amount', 'currency'])) {
    amount = textOf(value.amount)
    currency = textOf(value.currency)
  } else if (typeof value === 'string' && value.length <= 200) {
    const match = /^([+-]?[\d.]+) ?([A-Z]{3})$/.exec(value) ?? null
    amount = match?.[1] ?? null
    currency = match?.[2] ?? null
  }
  const fits = amount !== null && /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/.test(amount) && isDecimal(amount)
  if (fits && currency !== null && CURRENCIES.has(currency)) return `${amount} ${currency}`
  throw refuse(
    { name: 'Money', example: '"12.50 EUR" or { amount: "12.50", currency: "EUR" }' },
    'an amount and a currency of ISO 4217',
    value,
  )
}

export const FINANCE: readonly SemanticScalar[] = [
  text({
    name: 'IBAN',
    description: 'An international bank account number: length of its country, check digits. Spaces are left out.',
    specifiedByUrl: 'https://www.iso.org/standard/81090.html',
    example: '"DE89370400440532013000"',
    wants: "an IBAN of its country's length with right check digits",
    check: toIban,
  }),
  text({
    name: 'CUSIP',
    description: 'A security of North America: nine characters, the last a check digit.',
    specifiedByUrl: 'https://www.cusip.com/identifiers.html',
    example: '"037833100"',
    wants: 'nine characters with a right check digit',
    check: (value) => /^[A-Z0-9*@#]{8}\d$/.test(value) && isCusip(value),
  }),
  text({
    name: 'ISIN',
    description: 'A security: two letters, nine characters, a check digit.',
    specifiedByUrl: 'https://www.iso.org/standard/78502.html',
    example: '"US0378331005"',
    wants: 'two letters, nine characters and a right check digit',
    check: (value) => /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(value) && isLuhn(value),
  }),
  text({
    name: 'SEDOL',
    description: 'A security of the London Stock Exchange: seven characters without vowels, the last a check digit.',
    example: '"0263494"',
    wants: 'six characters without vowels and a right check digit',
    check: (value) => /^[0-9B-DF-HJ-NP-TV-Z]{6}\d$/.test(value) && isSedol(value),
  }),
  text({
    name: 'LEI',
    description: 'A legal entity: 20 characters, the last two check digits.',
    specifiedByUrl: 'https://www.iso.org/standard/78829.html',
    example: '"5493001KJTIIGC8Y1R12"',
    wants: '18 characters and two right check digits',
    check: (value) => /^[A-Z0-9]{18}\d{2}$/.test(value) && isCheck(value.slice(18)) && isMod97(value),
  }),
  text({
    name: 'MIC',
    description: 'A market by ISO 10383: four characters.',
    specifiedByUrl: 'https://www.iso20022.org/market-identifier-codes',
    example: '"XPAR"',
    wants: 'four upper-case letters or digits',
    check: /^[A-Z0-9]{4}$/,
  }),
  text({
    name: 'CurrencyCode',
    description: 'A currency by ISO 4217.',
    specifiedByUrl: 'https://www.iso.org/iso-4217-currency-codes.html',
    example: '"EUR"',
    wants: 'a currency by ISO 4217',
    check: (value) => CURRENCIES.has(value),
  }),
  {
    name: 'Money',
    description: 'An amount and its currency, `"12.50 EUR"`. `{ amount, currency }` is taken, too.',
    base: 'String',
    unordered: true,
    example: '"12.50 EUR"',
    parse: parseMoney,
  },
  text({
    name: 'ExchangeCode',
    description: 'The code of an exchange: 2 to 10 upper-case letters and digits.',
    example: '"NYSE"',
    wants: '2 to 10 upper-case letters and digits',
    check: /^[A-Z0-9]{2,10}$/,
  }),
  number({
    name: 'ExchangeRate',
    description: 'A positive decimal number, as text.',
    base: 'Decimal',
    example: '"1.0834"',
    wants: 'a positive decimal number',
    of: parseDecimal,
    check: (value) => value > 0,
  }),
  text({
    name: 'StockSymbol',
    description: 'The symbol of a stock: 1 to 5 upper-case letters.',
    example: '"AAPL"',
    wants: '1 to 5 upper-case letters',
    check: /^[A-Z]{1,5}$/,
  }),
]
