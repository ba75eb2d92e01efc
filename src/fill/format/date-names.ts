/**
 * Names of months and days as data, because Intl's differ between engines and versions. Long and short forms follow the
 * Unicode CLDR, with the dots and the small letters that each language writes.
 */
export const DATE_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'] as const;
export type DateLanguage = (typeof DATE_LANGUAGES)[number];

export interface DateNames {
  /** Without a day of the month: `MMMM YYYY`. */
  readonly months: readonly string[];
  /** Next to a day of the month, where Polish uses the genitive: `8 lutego`. */
  readonly monthsAfterDay: readonly string[];
  readonly shortMonths: readonly string[];
  /** From Sunday. */
  readonly weekdays: readonly string[];
  readonly shortWeekdays: readonly string[];
}

function names(
  months: string,
  shortMonths: string,
  weekdays: string,
  shortWeekdays: string,
  monthsAfterDay = months,
): DateNames {
  return {
    months: months.split(' '),
    monthsAfterDay: monthsAfterDay.split(' '),
    shortMonths: shortMonths.split(' '),
    weekdays: weekdays.split(' '),
    shortWeekdays: shortWeekdays.split(' '),
  };
}

const NAMES: Readonly<Record<DateLanguage, DateNames>> = {
  en: names(
    'January February March April May June July August September October November December',
    'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
    'Sunday Monday Tuesday Wednesday Thursday Friday Saturday',
    'Sun Mon Tue Wed Thu Fri Sat',
  ),
  de: names(
    'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
    'Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.',
    'Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag',
    'So Mo Di Mi Do Fr Sa',
  ),
  fr: names(
    'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    'janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.',
    'dimanche lundi mardi mercredi jeudi vendredi samedi',
    'dim. lun. mar. mer. jeu. ven. sam.',
  ),
  es: names(
    'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
    'ene feb mar abr may jun jul ago sept oct nov dic',
    'domingo lunes martes miércoles jueves viernes sábado',
    'dom lun mar mié jue vie sáb',
  ),
  it: names(
    'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
    'gen feb mar apr mag giu lug ago set ott nov dic',
    'domenica lunedì martedì mercoledì giovedì venerdì sabato',
    'dom lun mar mer gio ven sab',
  ),
  nl: names(
    'januari februari maart april mei juni juli augustus september oktober november december',
    'jan feb mrt apr mei jun jul aug sep okt nov dec',
    'zondag maandag dinsdag woensdag donderdag vrijdag zaterdag',
    'zo ma di wo do vr za',
  ),
  pt: names(
    'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    'jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.',
    'domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado',
    'dom. seg. ter. qua. qui. sex. sáb.',
  ),
  pl: names(
    'styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień',
    'sty lut mar kwi maj cze lip sie wrz paź lis gru',
    'niedziela poniedziałek wtorek środa czwartek piątek sobota',
    'niedz. pon. wt. śr. czw. pt. sob.',
    'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
  ),
};

export const dateNames = (language: DateLanguage): DateNames => NAMES[language];

/** Further short forms that occur in data, by index of the month. */
const OTHER_MONTHS: readonly (readonly [string, number])[] = [
  ['jänner', 0],
  ['mär', 2],
  ['mrz', 2],
  ['sept', 8],
  ['sep', 8],
  ['sett', 8],
  ['setiembre', 8],
];

/** A name in lower case without its dot, and its index. */
type Meaning = readonly [name: string, index: number];

/** The names of all languages, longest first, so that `juni` is not read as `jun`. No name means two months. */
export const MONTH_MEANINGS = meanings(
  ({ months, monthsAfterDay, shortMonths }) => [months, monthsAfterDay, shortMonths],
  OTHER_MONTHS,
);
export const WEEKDAY_MEANINGS = meanings(({ weekdays, shortWeekdays }) => [weekdays, shortWeekdays], []);

function meanings(
  listsOf: (names: DateNames) => readonly (readonly string[])[],
  others: readonly Meaning[],
): readonly Meaning[] {
  const found = new Map<string, number>(others);
  for (const language of DATE_LANGUAGES) {
    for (const list of listsOf(NAMES[language])) {
      for (const [index, name] of list.entries()) found.set(name.toLowerCase().replace(/\.$/, ''), index);
    }
  }
  return [...found].sort(([a], [b]) => b.length - a.length);
}
