import type { Geometry } from '../schema/semantic/geo-json.ts'
import { builtin } from './builtin-scalars.ts'

// Some have the name of a global on purpose, like the built-in scalars.
const EmailScalar = builtin<string>('Email')
const PhoneNumberScalar = builtin<string>('PhoneNumber')
const URLScalar = builtin<string>('URL')
const DomainNameScalar = builtin<string>('DomainName')
const HostnameScalar = builtin<string>('Hostname')
const PostalCodeScalar = builtin<string>('PostalCode')
const LatitudeScalar = builtin<number>('Latitude')
const LongitudeScalar = builtin<number>('Longitude')
const CoordinatesScalar = builtin<string | { readonly lat: number; readonly lng: number }>('Coordinates')
const TimezoneScalar = builtin<string>('Timezone')
const LocaleCodeScalar = builtin<string>('LocaleCode')
const LanguageCodeScalar = builtin<string>('LanguageCode')
const CountryCodeScalar = builtin<string>('CountryCode')
const IBANScalar = builtin<string>('IBAN')
const CUSIPScalar = builtin<string>('CUSIP')
const ISINScalar = builtin<string>('ISIN')
const SEDOLScalar = builtin<string>('SEDOL')
const LEIScalar = builtin<string>('LEI')
const MICScalar = builtin<string>('MIC')
const CurrencyCodeScalar = builtin<string>('CurrencyCode')
const MoneyScalar = builtin<string | { readonly amount: string | number; readonly currency: string }>('Money')
const ExchangeCodeScalar = builtin<string>('ExchangeCode')
const ExchangeRateScalar = builtin<string | number>('ExchangeRate')
const StockSymbolScalar = builtin<string>('StockSymbol')
const SlugScalar = builtin<string>('Slug')
const SemanticVersionScalar = builtin<string>('SemanticVersion')
const HashSHA256Scalar = builtin<string>('HashSHA256')
const APIKeyScalar = builtin<string>('APIKey')
const LicensePlateScalar = builtin<string>('LicensePlate')
const VINScalar = builtin<string>('VIN')
const TrackingNumberScalar = builtin<string>('TrackingNumber')
const ContainerNumberScalar = builtin<string>('ContainerNumber')
const AirportCodeScalar = builtin<string>('AirportCode')
const PortCodeScalar = builtin<string>('PortCode')
const FlightNumberScalar = builtin<string>('FlightNumber')
const IPAddressScalar = builtin<string>('IPAddress')
const IPv4Scalar = builtin<string>('IPv4')
const IPv6Scalar = builtin<string>('IPv6')
const MACAddressScalar = builtin<string>('MACAddress')
const CIDRScalar = builtin<string>('CIDR')
const PortScalar = builtin<number>('Port')
const MarkdownScalar = builtin<string>('Markdown')
const HTMLScalar = builtin<string>('HTML')
const MimeTypeScalar = builtin<string>('MimeType')
const ColorScalar = builtin<string>('Color')
const ImageScalar = builtin<string>('Image')
const FileScalar = builtin<string>('File')
const LTreeScalar = builtin<string>('LTree')
const DateRangeScalar = builtin<string | { readonly start: string | null; readonly end: string | null }>('DateRange')
const DurationScalar = builtin<string>('Duration')
const PercentageScalar = builtin<number>('Percentage')
const GeoJSONScalar = builtin<Geometry>('GeoJSON')
const VectorScalar = builtin<readonly number[]>('Vector')
const HalfVectorScalar = builtin<readonly number[]>('HalfVector')
const SparseVectorScalar = builtin<string>('SparseVector')
const BitVectorScalar = builtin<string>('BitVector')

export {
  AirportCodeScalar as AirportCode,
  APIKeyScalar as APIKey,
  BitVectorScalar as BitVector,
  CIDRScalar as CIDR,
  ColorScalar as Color,
  ContainerNumberScalar as ContainerNumber,
  CoordinatesScalar as Coordinates,
  CountryCodeScalar as CountryCode,
  CUSIPScalar as CUSIP,
  CurrencyCodeScalar as CurrencyCode,
  DateRangeScalar as DateRange,
  DomainNameScalar as DomainName,
  DurationScalar as Duration,
  EmailScalar as Email,
  ExchangeCodeScalar as ExchangeCode,
  ExchangeRateScalar as ExchangeRate,
  FileScalar as File,
  FlightNumberScalar as FlightNumber,
  GeoJSONScalar as GeoJSON,
  HalfVectorScalar as HalfVector,
  HashSHA256Scalar as HashSHA256,
  HostnameScalar as Hostname,
  HTMLScalar as HTML,
  IBANScalar as IBAN,
  ImageScalar as Image,
  IPAddressScalar as IPAddress,
  IPv4Scalar as IPv4,
  IPv6Scalar as IPv6,
  ISINScalar as ISIN,
  LanguageCodeScalar as LanguageCode,
  LatitudeScalar as Latitude,
  LEIScalar as LEI,
  LicensePlateScalar as LicensePlate,
  LocaleCodeScalar as LocaleCode,
  LongitudeScalar as Longitude,
  LTreeScalar as LTree,
  MACAddressScalar as MACAddress,
  MarkdownScalar as Markdown,
  MICScalar as MIC,
  MimeTypeScalar as MimeType,
  MoneyScalar as Money,
  PercentageScalar as Percentage,
  PhoneNumberScalar as PhoneNumber,
  PortCodeScalar as PortCode,
  PortScalar as Port,
  PostalCodeScalar as PostalCode,
  SEDOLScalar as SEDOL,
  SemanticVersionScalar as SemanticVersion,
  SlugScalar as Slug,
  SparseVectorScalar as SparseVector,
  StockSymbolScalar as StockSymbol,
  TimezoneScalar as Timezone,
  TrackingNumberScalar as TrackingNumber,
  URLScalar as URL,
  VectorScalar as Vector,
  VINScalar as VIN,
}
