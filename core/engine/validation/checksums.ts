import type { Checksum } from '../../schema/rules.ts'

/** Does the check digit fit? (ISO/IEC 7812 for `luhn`, ISO 7064 for `mod97`, the one of IBANs.) Spaces and dashes do not count. */
export function hasChecksum(algorithm: Checksum, value: string): boolean {
  const text = value.replace(/[\s-]/g, '')
  return algorithm === 'luhn' ? isLuhn(text) : isMod97(text)
}

function isLuhn(text: string): boolean {
  if (!/^\d{2,}$/.test(text)) return false
  let sum = 0
  for (let index = 0; index < text.length; index++) {
    const digit = Number(text[text.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The first four characters move to the end; letters are the numbers from 10. */
function isMod97(text: string): boolean {
  if (!/^[A-Za-z0-9]{5,}$/.test(text)) return false
  let rest = 0
  for (const char of `${text.slice(4)}${text.slice(0, 4)}`) {
    const number = Number.parseInt(char, 36)
    rest = (rest * (number > 9 ? 100 : 10) + number) % 97
  }
  return rest === 1
}
