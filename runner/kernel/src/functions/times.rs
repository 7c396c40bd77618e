//! Functions of times (`designer/expressions/functions/times.py`): milliseconds since 1970 in UTC.

use std::fmt::Write;

use crate::value::{Sure, Unsure, Val};

use super::{int, text};

const DAY_MS: i64 = 86_400_000;

/// A time of the years 1 to 9999, in parts.
struct Moment {
    year: i64,
    month: i64,
    day: i64,
    /// Days since 1970.
    days: i64,
    /// Milliseconds since midnight.
    ms: i64,
}

impl Moment {
    fn of(ms: i64) -> Sure<Moment> {
        let days = ms.div_euclid(DAY_MS);
        // days since March of the year 0, in cycles of 400 years (Howard Hinnant's civil_from_days)
        let shifted = days + 719_468;
        let (cycle, of_cycle) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year = (of_cycle - of_cycle / 1_460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
        let of_year = of_cycle - (365 * year + year / 4 - year / 100);
        let shifted_month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = year + cycle * 400 + i64::from(month <= 2);
        if (1..=9_999).contains(&year) {
            Ok(Moment { year, month, day, days, ms: ms.rem_euclid(DAY_MS) })
        } else {
            Err(Unsure)
        }
    }

    /// 0 (Monday) to 6.
    fn weekday(&self) -> i64 {
        (self.days + 3).rem_euclid(7)
    }

    fn day_of_year(&self) -> i64 {
        self.days - count_days(self.year, 1, 1) + 1
    }

    fn week_of_year(&self) -> i64 {
        // the ISO week belongs to the year of its Thursday
        let thursday = self.days - self.weekday() + 3;
        let first = |year: i64| count_days(year, 1, 1);
        let year = if thursday < first(self.year) {
            self.year - 1
        } else if thursday >= first(self.year + 1) {
            self.year + 1
        } else {
            self.year
        };
        (thursday - first(year)) / 7 + 1
    }
}

/// Days from 1970-01-01 to a date (Howard Hinnant's days_from_civil).
fn count_days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (cycle, of_cycle) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    cycle * 146_097 + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + of_year - 719_468
}

fn count_days_of_month(year: i64, month: i64) -> i64 {
    let is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn part<'a>(values: &[Val<'a>], of: fn(&Moment) -> i64) -> Sure<Val<'a>> {
    Ok(Val::Int(of(&Moment::of(int(values, 0)?)?)))
}

pub fn year<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    part(values, |at| at.year)
}

pub fn quarter<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    part(values, |at| (at.month + 2) / 3)
}

pub fn month<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    part(values, |at| at.month)
}

pub fn day<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    part(values, |at| at.day)
}

pub fn hour<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    part(values, |at| at.ms / 3_600_000)
}

pub fn minute<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    part(values, |at| at.ms / 60_000 % 60)
}

pub fn second<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    part(values, |at| at.ms / 1_000 % 60)
}

pub fn day_of_year<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    part(values, Moment::day_of_year)
}

pub fn day_of_week<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    part(values, |at| (at.weekday() + 1) % 7 + 1)
}

pub fn weekday<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    part(values, Moment::weekday)
}

pub fn week_of_year<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    part(values, Moment::week_of_year)
}

pub fn unix_seconds<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    Ok(Val::Int(int(values, 0)?.div_euclid(1_000)))
}

pub fn timestamp_seconds<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    match values.first() {
        Some(Val::Int(seconds)) => seconds.checked_mul(1_000).map(Val::Int).ok_or(Unsure),
        Some(Val::Double(seconds)) => {
            let ms = (seconds * 1_000.0).trunc();
            if ms.abs() < 9e18 { Ok(Val::Int(ms as i64)) } else { Err(Unsure) }
        }
        _ => Err(Unsure),
    }
}

pub fn date_trunc<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    let (unit, ms) = (text(values, 0)?, int(values, 1)?);
    let length = match unit {
        "SECOND" => 1_000,
        "MINUTE" => 60_000,
        "HOUR" => 3_600_000,
        "DAY" => DAY_MS,
        _ => 0,
    };
    if length > 0 {
        return ms.checked_sub(ms.rem_euclid(length)).map(Val::Int).ok_or(Unsure);
    }
    let at = Moment::of(ms)?;
    let days = match unit {
        "WEEK" => at.days - at.weekday(),
        "MONTH" => count_days(at.year, at.month, 1),
        "QUARTER" => count_days(at.year, (at.month - 1) / 3 * 3 + 1, 1),
        "YEAR" => count_days(at.year, 1, 1),
        _ => return Err(Unsure),
    };
    Ok(Val::Int(days * DAY_MS))
}

pub fn to_iso<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    format(int(values, 0)?, "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").map(Val::text)
}

pub fn date_format<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    format(int(values, 0)?, text(values, 1)?).map(Val::text)
}

/// Writes a time in a format that the check has read.
fn format(ms: i64, mut pattern: &str) -> Sure<String> {
    let at = Moment::of(ms)?;
    let fields = [
        ("yyyy", 4, at.year),
        ("MM", 2, at.month),
        ("dd", 2, at.day),
        ("HH", 2, at.ms / 3_600_000),
        ("mm", 2, at.ms / 60_000 % 60),
        ("SSS", 3, at.ms % 1_000),
        ("ss", 2, at.ms / 1_000 % 60),
    ];
    let mut written = String::with_capacity(pattern.len());
    while let Some(first) = pattern.chars().next() {
        if let Some((name, width, value)) = fields.iter().find(|(name, ..)| pattern.starts_with(name)) {
            write!(written, "{value:0width$}").map_err(|_| Unsure)?;
            pattern = &pattern[name.len()..];
        } else if first == '\'' {
            let (quoted, rest) = pattern[1..].split_once('\'').ok_or(Unsure)?;
            written.push_str(if quoted.is_empty() { "'" } else { quoted });
            pattern = rest;
        } else if first.is_ascii_alphabetic() {
            return Err(Unsure);
        } else {
            written.push(first);
            pattern = &pattern[first.len_utf8()..];
        }
    }
    Ok(written)
}

pub fn to_timestamp_ms<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    read_iso(text(values, 0)?)?.map(Val::Int).ok_or(Unsure)
}

pub fn try_to_timestamp_ms<'a>(values: &[Val<'a>]) -> Sure<Val<'a>> {
    Ok(read_iso(text(values, 0)?)?.map_or(Val::Null, Val::Int))
}

/// An ISO 8601 date or time, or None if it is not one.
fn read_iso(text: &str) -> Sure<Option<i64>> {
    if !text.is_ascii() {
        return Err(Unsure); // Python strips more kinds of white space
    }
    let is_space = |char| matches!(char, '\t'..='\r' | '\x1c'..='\x1f' | ' ');
    Ok(Iso(text.trim_matches(is_space).as_bytes()).read())
}

/// What is left of a text.
struct Iso<'a>(&'a [u8]);

impl Iso<'_> {
    fn read(mut self) -> Option<i64> {
        let year = self.digits(4)?;
        self.one_of(b"-")?;
        let month = self.digits(2)?;
        self.one_of(b"-")?;
        let day = self.digits(2)?;
        let (mut hour, mut minute, mut second, mut fraction_ms) = (0, 0, 0, 0);
        if matches!(self.0, [b'T' | b't' | b' ', b'0'..=b'9', ..]) {
            self.0 = &self.0[1..];
            hour = self.digits(2)?;
            self.one_of(b":")?;
            minute = self.digits(2)?;
            if self.one_of(b":").is_some() {
                second = self.digits(2)?;
                if self.one_of(b".,").is_some() {
                    fraction_ms = self.fraction()?;
                }
            }
        }
        let offset_ms = self.offset()?;
        let is_time = hour < 24 && minute < 60 && second < 60;
        let is_date = year >= 1 && (1..=12).contains(&month) && day >= 1 && day <= count_days_of_month(year, month);
        if !self.0.is_empty() || !is_time || !is_date {
            return None;
        }
        let days = count_days(year, month, day);
        Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000 + fraction_ms - offset_ms)
    }

    fn offset(&mut self) -> Option<i64> {
        if self.0.is_empty() {
            return Some(0);
        }
        self.one_of(b" ");
        if self.one_of(b"Zz").is_some() {
            return Some(0);
        }
        let sign = if self.one_of(b"+-")? == b'-' { -1 } else { 1 };
        let mut parts = [self.digits(2)?, 0, 0];
        for part in &mut parts[1..] {
            if self.0.is_empty() {
                break;
            }
            self.one_of(b":");
            *part = self.digits(2)?;
        }
        let [hours, minutes, seconds] = parts;
        (minutes < 60 && seconds < 60).then_some(sign * ((hours * 60 + minutes) * 60 + seconds) * 1_000)
    }

    fn digits(&mut self, count: usize) -> Option<i64> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        digits.iter().try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0')))
    }

    fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        if !bytes.contains(first) {
            return None;
        }
        self.0 = rest;
        Some(*first)
    }

    /// Milliseconds of one to nine digits.
    fn fraction(&mut self) -> Option<i64> {
        let count = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=9).contains(&count) {
            return None;
        }
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        Some((0..3).fold(0, |ms, place| ms * 10 + i64::from(digits.get(place).map_or(0, |digit| digit - b'0'))))
    }
}
