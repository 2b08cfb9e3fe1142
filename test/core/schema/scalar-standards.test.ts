import t from 'tap'
import { SEMANTIC_SCALARS } from '../../../core/schema/scalars.ts'

interface Standard {
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
}

/** Codes out of the standards themselves, of companies and banks, and what looks like one. */
const STANDARDS: Readonly<Record<string, Standard>> = {
  LocaleCode: {
    valid: ['de', 'pt-BR', 'zh-Hant-TW', 'sr-Latn', 'es-419', 'gsw-CH', 'en-001'],
    invalid: ['zz', 'de-XX', 'en-UK', 'deu-DE', 'de_DE', 'DE-de', 'zh-Abcd', 'es-999', 'de-', 'iw', 'x-de'],
  },
  LanguageCode: {
    valid: ['de', 'zu', 'eng', 'gsw', 'deu', 'yue'],
    invalid: ['zz', 'xx', 'De', 'd', 'germ', 'iw', 'e1'],
  },
  Timezone: {
    valid: [
      'Europe/Berlin',
      'UTC',
      'America/Argentina/Buenos_Aires',
      'Etc/GMT+5',
      'Asia/Kolkata',
      'Asia/Calcutta',
      'US/Pacific',
    ],
    invalid: [
      'europe/berlin',
      'Europe/berlin',
      'EUROPE/BERLIN',
      'IST',
      'SystemV/EST5',
      'GMT+5',
      'UTC+1',
      'Europe/Atlantis',
      '+02:00',
      'Z',
      'posix/UTC',
    ],
  },
  Email: {
    valid: [
      'a@b.de',
      "o'neil+tag@mail.example.org",
      'x_y-z@sub.example.co.uk',
      'jörg@bücher.example',
      '!#$%&*+/=?^_`{|}~-@example.org',
      'a.b.c@example.org',
      'a@xn--bcher-kva.example',
      'a@1.example',
    ],
    invalid: [
      '.a@b.de',
      'a.@b.de',
      'a..b@c.de',
      'a@-b.de',
      'a@b-.de',
      'a@b.de-',
      'a@b.de.',
      'a@127.0.0.1',
      'a@b!c.de',
      'a;b@c.de',
      `a@${'b'.repeat(64)}.de`,
      'a@b\u00a0c.de',
      'Ann <a@b.de>',
      'a@[10.0.0.1]',
    ],
  },
  IBAN: {
    valid: [
      'DE89370400440532013000',
      'GB29NWBK60161331926819',
      'CH9300762011623852957',
      'NL91ABNA0417164300',
      'ES9121000418450200051332',
      'NO9386011117947',
      'MT84MALT011000012345MTLCAST001S',
    ],
    invalid: [
      'DE88370400440532013000',
      'GB29NWBK6016133192681',
      'US89370400440532013000',
      'NL91ABNA0417164301',
      'ES912100041845020005133',
      'DE00370400440532010043',
      'DE99370400440532010007',
    ],
  },
  LEI: {
    valid: [
      '5493001KJTIIGC8Y1R12',
      'HWUPKR0MPOU8FGXBT394',
      'INR2EJN1ERAN0W5ZP974',
      '7LTWFZYICNSX8D621K86',
      '8I5DZWZKVSZI1NUHU748',
    ],
    invalid: [
      '5493001KJTIIGC8Y1R13',
      'HWUPKR0MPOU8FGXBT39',
      'inr2ejn1eran0w5zp974',
      '7LTWFZYICNSX8D621K8A',
      '8I5DZWZKVSZI1NUHU7480',
      '5493001KJTIIGC002001',
    ],
  },
  ISIN: {
    valid: ['US0378331005', 'US5949181045', 'DE0007164600', 'GB0002634946', 'JP3633400001'],
    invalid: ['US0378331006', 'US037833100', 'us0378331005', 'D10007164600', 'GB000263494A'],
  },
  CUSIP: {
    valid: ['037833100', '38259P508', '17275R102', '594918104', '68389X105'],
    invalid: ['037833101', '38259p508', '17275R10', '5949181040', '68389X10X'],
  },
  SEDOL: {
    valid: ['0263494', 'B0YBKJ7', '7108899', '4065663', 'B0YBLH2'],
    invalid: ['0263495', 'A0YBKJ7', '710889', '40656630', 'b0yblh2'],
  },
  VIN: {
    valid: [
      '1HGCM82633A004352',
      '1M8GDM9AXKP042788',
      '11111111111111111',
      '5GZCZ43D13S812715',
      'WBA3A5G59DNP26082',
      '5YJSA1DG9DFP14705',
    ],
    invalid: ['1HGCM82643A004352', '1M8GDM9AXKP04278', 'IM8GDM9AXKP042788', '1HGCM8263OA004352', '1hgcm82633a004352'],
  },
  ContainerNumber: {
    valid: ['CSQU3054383', 'MSKU6011672', 'TOLU4734787', 'TEXU3070079', 'MSCU1234566'],
    invalid: ['CSQU3054384', 'CSQX3054383', 'CSQU305438', 'csqu3054383', 'CSQU30543833'],
  },
  CIDR: {
    valid: ['10.0.0.0/8', '0.0.0.0/0', '192.0.2.1/32', '2001:db8::/32', '::/0', '::ffff:10.0.0.0/104'],
    invalid: [
      '10.0.0.1/8',
      '10.0.0.0/33',
      '10.0.0.0/08',
      '2001:db8::1/64',
      '::/129',
      '10.0.0.0',
      '10.0.0.0/',
      '10.0/16',
      'fe80::%eth0/64',
    ],
  },
  IPv4: {
    valid: ['0.0.0.0', '255.255.255.255', '192.0.2.1', '10.1.2.3', '127.0.0.1'],
    invalid: ['256.0.0.1', '01.2.3.4', '1.2.3', '::1', '1.2.3.4 '],
  },
  IPv6: {
    valid: ['::', '::1', '2001:db8::1', '::ffff:192.0.2.1', 'FE80::1'],
    invalid: ['fe80::1%eth0', '1::2::3', '12345::', '1:2:3:4:5:6:7', '192.0.2.1', '[::1]'],
  },
  MACAddress: {
    valid: ['08:00:2b:01:02:03', '08-00-2B-01-02-03', 'ff:ff:ff:ff:ff:ff', '00:00:00:00:00:00', 'aA:bB:cC:dD:eE:fF'],
    invalid: [
      '08:00:2b:01:02',
      '08:00-2b:01:02:03',
      '08002b010203',
      '0g:00:2b:01:02:03',
      '08:00:2b:01:02:03:04',
      '0800.2b01.0203',
    ],
  },
  URL: {
    valid: [
      'https://example.org',
      'http://user:pw@a.b:8080/c?d=e#f',
      'ftp://files.example.org/x',
      'https://[2001:db8::1]/',
      'HTTPS://EXAMPLE.ORG./',
      'https://bücher.example/ä',
    ],
    invalid: [
      'example.org',
      'javascript:alert(1)',
      'https://',
      'http://.',
      'http://a..b/',
      'http://.a/',
      'https:/a',
      'http://a:99999/',
      'https://[::1',
      'mailto:a@b.de',
      'http://a b/',
    ],
  },
  Image: {
    valid: [
      'https://example.org/cat.png',
      '/img/cat.png',
      'cat.png',
      'data:image/png;base64,iVBORw0KGgo=',
      'data:image/svg+xml,%3Csvg%2F%3E',
    ],
    invalid: [
      'javascript:alert(1)',
      'data:text/html,<b>',
      'data:image/png;base64,A',
      'data:image/png;base64,A===',
      'data:image/png;base64,%41',
      '<img>',
      '',
    ],
  },
  MimeType: {
    valid: [
      'image/png',
      'text/html; charset=utf-8',
      'application/vnd.api+json',
      'application/x-7z-compressed',
      'text/plain;format=flowed',
    ],
    invalid: ['image', 'image/', '/png', '-/-', '+a/b', `a/${'b'.repeat(128)}`, 'a b/c', 'a/b/c'],
  },
  PhoneNumber: {
    valid: ['+4930123456', '+14155550100', '+442071838750', '+123456789012345', '+390612345678'],
    invalid: ['030123456', '+0301234', '+1234567890123456', '+', '004930123456', '+49/30', '+49 abc'],
  },
  PostalCode: {
    valid: ['10115', 'SW1A 1AA', '1012 AB', '12345-6789', 'K1A 0B1'],
    invalid: ['12', ' 123', '123 ', '12  34', '12345678901', '12_45', '1-'],
  },
  PortCode: {
    valid: ['DEHAM', 'USNYC', 'US2AB', 'NLRTM', 'XZ222'],
    invalid: ['ZZHAM', 'DEHA', 'deham', 'DE1AM', 'UKLON', 'DEHAMB'],
  },
  Coordinates: {
    valid: ['52.52,13.405', '-90,180', '90,-180', '0,0', { lat: 52.52, lng: 13.405 }],
    invalid: ['90.1,0', '0,180.1', '52.52', '52.52;13.4', '1e1,2', { lat: 1 }, 'NaN,0', '52.52,13.4,1'],
  },
  Duration: {
    valid: ['PT1H30M', 'P1Y2M3DT4H5M6.5S', 'P2W', 'PT0S', 'P1D'],
    invalid: ['P', 'PT', '1H', 'P1H', 'PT1D', 'P1S', 'PT5', 'P1M2Y'],
  },
}

for (const [name, { valid, invalid }] of Object.entries(STANDARDS)) {
  t.test(name, async (t) => {
    const { parse } = SEMANTIC_SCALARS.get(name)!
    t.ok(valid.length >= 5 && invalid.length >= 5, 'five of each')
    for (const value of valid) t.doesNotThrow(() => parse(value), `${name} ${JSON.stringify(value)}`)
    for (const value of invalid)
      t.throws(() => parse(value), { message: new RegExp(`^${name} `) }, `not ${name} ${JSON.stringify(value)}`)
  })
}
